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
 * This application's candidate in an election that an elector beside the application decides.
 *
 * <p>The candidate leads while the elector's last answer is fresh and contains this candidate as the leader. The
 * candidate does not lead while the state is unknown.
 *
 * <p>Threads: the methods may be called on any thread. A separate thread calls the listeners in order. A slow listener
 * can miss terms that have already ended. If a listener has received the start of a term, it always receives the end of
 * that term.
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
     * The present leadership; null if this candidate does not lead.
     *
     * <p>A term begins on the listeners' thread, after the listeners have received the end of the previous term.
     */
    private volatile @Nullable ElectorLeadership leadership;

    /** The number of state changes that the watch has reported. */
    private long changes;

    /** The cause of the end of the last term. */
    private volatile LossCause cause = LossCause.SUPERSEDED;

    private volatile long silentSince = System.nanoTime();

    /** The term whose start was last reported to the listeners. Only the listeners' thread uses this field. */
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
        LeaderWatch.Registration unused = watch.listen(this::changed);
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
                        .orElseGet(() -> new Explanation(Reason.TAKING, "the elector names no leader at present"));
            case UNKNOWN ->
                new Explanation(
                        Reason.NOT_SEEN,
                        "the elector did not answer for "
                                + silentFor().orElse(Duration.ZERO).toMillis()
                                + " ms, and its last answer is valid for " + patience.toMillis() + " ms");
        };
    }

    /**
     * Ends the leadership and the watch.
     *
     * <p>The method waits until the listeners have received the end of the term, but at most for the maximum age of an
     * answer. On the listeners' thread, the method does not wait.
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

    /** Returns how long this candidate has had no fresh answer; empty if the last answer is fresh. */
    Optional<Duration> silentFor() {
        return watch.state().role() == Role.UNKNOWN
                ? Optional.of(Duration.ofNanos(System.nanoTime() - silentSince))
                : Optional.empty();
    }

    /**
     * Handles a state that the watch has reported. The method runs on the watch's thread and must not block. If it
     * blocked, the watch would read the next answer late and treat an old answer as fresh.
     */
    private void changed(LeaderState now) {
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

    /**
     * Reports the change, and retries until the report succeeds.
     *
     * <p>The watch reports a change only once.
     */
    private void reportUntilDone() {
        if (!faults.survives("election=" + election + " news", this::report) && !closed) {
            again(this::reportUntilDone);
        }
    }

    /** Calls the task on the listeners' thread after {@value #AGAIN_MILLIS} ms, unless this candidate is closed. */
    void again(Runnable task) {
        try {
            ScheduledFuture<?> unused = callbacks.schedule(() -> guarded(task), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The candidate is closed, so it cannot lead again.
        }
    }

    private synchronized void noted(LeaderState now) {
        changes++;
        ElectorLeadership led = leadership;
        if (led != null && !(now.isLeader() && now.term().orElse(led.termOrZero()) == led.termOrZero())) {
            ended(now.role() == Role.UNKNOWN ? LossCause.EXPIRED : LossCause.SUPERSEDED);
        }
    }

    /**
     * Begins a term if this application is the leader in the elector's answer.
     *
     * <p>The method runs on the listeners' thread, after the listeners have received the end of the previous term. If
     * the elector's event stream contains no term, the method requests the term from the elector and waits up to {@code
     * elector.timeout}. If the watch reports a change during the request, this attempt ends, and the change starts
     * another attempt.
     */
    private void beginIfNamed() {
        long asOf;
        synchronized (this) {
            asOf = changes;
        }
        LeaderState now = watch.state();
        if (!now.isLeader()) {
            return;
        }
        long term = now.term().orElseGet(this::requestTerm);
        synchronized (this) {
            if (!closed && changes == asOf) {
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

    /**
     * Requests the term from the elector. The event stream at the root path contains no terms, but the answer to this
     * request can contain a term. The result is 0 if the elector does not answer, names another leader or sends no
     * term, or if only the address of the stream is known.
     */
    private long requestTerm() {
        try {
            Answer answer = elector.ask();
            return answer.leader().filter(id()::equals).isPresent()
                    ? answer.term().orElse(0)
                    : 0;
        } catch (ElectorUnavailableException | IllegalStateException e) {
            return 0;
        }
    }

    /**
     * Reports the end of the last reported term, and then the present state. The method runs on the listeners'
     * thread.
     */
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
            // The candidate is closed and has no listeners left.
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
