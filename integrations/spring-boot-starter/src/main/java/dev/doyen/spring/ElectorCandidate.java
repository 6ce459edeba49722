package dev.doyen.spring;

import dev.doyen.client.Elector;
import dev.doyen.client.ElectorUnavailableException;
import dev.doyen.client.LeaderWatch;
import dev.doyen.client.state.Answer;
import dev.doyen.client.state.LeaderState;
import dev.doyen.client.state.Role;
import dev.doyen.election.Candidate;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaderListener;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.log.FaultLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate of this application as the elector beside it reports it.
 *
 * <p>It leads while the elector names it in an answer that is fresh. It does not lead while the state is unknown.
 *
 * <p>Threads: any. One thread of its own calls the listeners, in order. A slow listener misses terms that are over
 * before their turn. But it receives the end of each term whose beginning it has received.
 */
final class ElectorCandidate implements Candidate<ElectorLeadership> {

    private static final System.Logger LOG = System.getLogger("dev.doyen.spring");

    private static final long AGAIN_MILLIS = 500;

    private final String election;
    private final Elector elector;
    private final Consumer<ElectorCandidate> whenClosed;
    private final LeaderWatch watch;
    private final Duration patience;
    private final FaultLog faults = new FaultLog(LOG);
    private final ScheduledThreadPoolExecutor callbacks;
    private final CopyOnWriteArrayList<ElectionListener<? super ElectorLeadership>> listeners =
            new CopyOnWriteArrayList<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final CountDownLatch reported = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile @Nullable Thread reporter;

    /**
     * The term of the elector's last answer.
     *
     * <p>A term begins on the listeners' thread, after they have received the end of the last one.
     */
    private volatile @Nullable ElectorLeadership leadership;

    /** Counts the answers. */
    private long news;

    /** Why the last term ended. */
    private volatile LossCause cause = LossCause.SUPERSEDED;

    private volatile long silentSince = System.nanoTime();

    /** The term that listeners received last. Only used on their thread. */
    private @Nullable ElectorLeadership reportedLeadership;

    private Optional<Leader> reportedLeader = Optional.empty();

    /** @throws IllegalStateException if the address of the elector's stream is unknown */
    ElectorCandidate(String election, Elector elector, Consumer<ElectorCandidate> whenClosed) {
        this.election = election;
        this.elector = elector;
        this.whenClosed = whenClosed;
        this.patience = elector.maxAge();
        this.callbacks = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "doyen-elector-" + election);
            thread.setDaemon(true);
            reporter = thread;
            return thread;
        });
        // Start the thread now, because the application may be unable to start one later.
        callbacks.prestartAllCoreThreads();
        this.watch = elector.watch();
        LeaderWatch.Registration unused = watch.listen(this::heard);
    }

    @Override
    public String id() {
        return elector.name();
    }

    @Override
    public String election() {
        return election;
    }

    @Override
    public boolean isLeader() {
        return leadership().isPresent();
    }

    @Override
    public Optional<ElectorLeadership> leadership() {
        return Optional.ofNullable(leadership).filter(ElectorLeadership::isCertain);
    }

    @Override
    public Optional<Leader> leader() {
        LeaderState now = watch.state();
        return now.role() == Role.UNKNOWN
                ? Optional.empty()
                : now.leader().map(id -> new Leader(id, now.term().orElse(0)));
    }

    @Override
    public Registration listen(LeaderListener listener) {
        return listen(new ElectionListener<ElectorLeadership>() {
            @Override
            public void leaderChanged(Optional<Leader> leader) {
                listener.leaderChanged(leader);
            }
        });
    }

    @Override
    public Registration listen(ElectionListener<? super ElectorLeadership> listener) {
        later(() -> {
            listeners.add(listener);
            ElectorLeadership leads = reportedLeadership;
            Optional<Leader> leader = reportedLeader;
            if (leads != null) {
                guarded(() -> listener.elected(leads));
            }
            if (leader.isPresent()) {
                guarded(() -> listener.leaderChanged(leader));
            }
        });
        return () -> listeners.remove(listener);
    }

    @Override
    public Explanation explain() {
        if (closed) {
            return new Explanation(Reason.GONE, "closed");
        }
        LeaderState now = watch.state();
        return switch (now.role()) {
            case LEADING ->
                new Explanation(Reason.LEADING, "the elector names \"" + id() + "\", which is this application");
            case FOLLOWING ->
                now.leader()
                        .map(other -> new Explanation(
                                Reason.HELD,
                                "the elector names \"" + other + "\", and this application is \"" + id() + "\""))
                        .orElseGet(() -> new Explanation(Reason.TAKING, "the elector names nobody, for now"));
            case UNKNOWN ->
                new Explanation(
                        Reason.NOT_SEEN,
                        "the elector was not heard for "
                                + silentFor().orElse(Duration.ZERO).toMillis()
                                + " ms, and what it said before counts for " + patience.toMillis() + " ms");
        };
    }

    /**
     * Ends the leadership and the watch.
     *
     * <p>Waits until listeners have received the end, but at most for the maximum age of an answer.
     */
    @Override
    public void close() {
        closed = true;
        watch.close();
        ended(LossCause.CLOSED);
        later(() -> {
            report();
            callbacks.shutdown();
            reported.countDown();
        });
        whenClosed.accept(this);
        if (!Thread.currentThread().equals(reporter)) {
            try {
                boolean unused = reported.await(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns how long the elector has been silent, if its last answer is outdated. */
    Optional<Duration> silentFor() {
        return watch.state().role() == Role.UNKNOWN
                ? Optional.of(Duration.ofNanos(System.nanoTime() - silentSince))
                : Optional.empty();
    }

    /**
     * Runs on the watch's thread and must not block. If the watch reads an answer late, the answer counts for longer.
     */
    private void heard(LeaderState now) {
        if (now.role() == Role.UNKNOWN) {
            silentSince = System.nanoTime();
        }
        noted(now);
        if (due.compareAndSet(false, true)) {
            later(() -> {
                due.set(false);
                reportUntilDone();
            });
        }
    }

    /** Retries until the listeners have the change, because the watch reports a change only once. */
    private void reportUntilDone() {
        if (!faults.survives("election=" + election + " news", this::report) && !closed) {
            ScheduledFuture<?> unused =
                    callbacks.schedule(() -> guarded(this::reportUntilDone), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void noted(LeaderState now) {
        news++;
        ElectorLeadership led = leadership;
        if (led != null && !(now.isLeader() && now.term().orElse(led.termOrZero()) == led.termOrZero())) {
            ended(now.role() == Role.UNKNOWN ? LossCause.EXPIRED : LossCause.SUPERSEDED);
        }
    }

    /**
     * Begins a term if the elector names this application.
     *
     * <p>Runs on the listeners' thread while they have no term. If the stream contains no term, the call asks the
     * elector, and waits up to {@code elector.timeout}. If the watch reports a change meanwhile, this attempt ends, and
     * the change starts another one.
     */
    private void beginIfNamed() {
        long asOf;
        synchronized (this) {
            asOf = news;
        }
        LeaderState now = watch.state();
        if (!now.isLeader()) {
            return;
        }
        long term = now.term().orElseGet(this::termAsked);
        synchronized (this) {
            if (!closed && news == asOf) {
                leadership = new ElectorLeadership(election, term, this::remaining);
            }
        }
    }

    private synchronized void ended(LossCause why) {
        if (leadership != null) {
            cause = why;
            leadership = null;
        }
    }

    private Duration remaining(ElectorLeadership of) {
        LeaderState now = watch.state();
        boolean leads = now.isLeader() && now.term().orElse(of.termOrZero()) == of.termOrZero();
        return leads && of == leadership ? watch.freshFor() : Duration.ZERO;
    }

    /** Asks for the term. The stream at the root has no terms, but an answer may have one. */
    private long termAsked() {
        try {
            Answer answer = elector.ask();
            return answer.leader().filter(id()::equals).isPresent()
                    ? answer.term().orElse(0)
                    : 0;
        } catch (ElectorUnavailableException e) {
            return 0;
        }
    }

    /** Reports the end of the term that listeners know, and then the present state. Runs on their thread. */
    private void report() {
        ElectorLeadership before = reportedLeadership;
        if (before != null && before != leadership) {
            reportedLeadership = null;
            LossCause why = cause;
            listeners.forEach(each -> guarded(() -> each.lost(why)));
        }
        if (reportedLeadership == null) {
            beginIfNamed();
            ElectorLeadership now = leadership;
            if (now != null) {
                reportedLeadership = now;
                listeners.forEach(each -> guarded(() -> each.elected(now)));
            }
        }
        Optional<Leader> leader = leader();
        if (!leader.equals(reportedLeader)) {
            reportedLeader = leader;
            listeners.forEach(each -> guarded(() -> each.leaderChanged(leader)));
        }
    }

    private void later(Runnable callback) {
        try {
            callbacks.execute(() -> guarded(callback));
        } catch (RejectedExecutionException e) {
            // Closed, so no listener is left.
        }
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            faults.report("election=" + election + " a listener", e);
        }
    }
}
