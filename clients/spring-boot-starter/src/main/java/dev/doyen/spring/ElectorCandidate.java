package dev.doyen.spring;

import dev.doyen.Candidate;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.client.Elector;
import dev.doyen.client.ElectorUnavailableException;
import dev.doyen.client.LeaderWatch;
import dev.doyen.client.sight.Answer;
import dev.doyen.client.sight.LeaderState;
import dev.doyen.client.sight.Standing;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.store.FaultLog;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 * What the elector beside this application says of it, as a candidate. It leads while the elector names it and that word is
 * not too old; it does not while nothing is known.
 *
 * <p>Threads: any. Listeners are told on a thread of their own, in order; a slow one misses terms that are over by then, but
 * hears of the end of each that it was told of.
 */
final class ElectorCandidate implements Candidate {

    private static final System.Logger LOG = System.getLogger("dev.doyen.spring");

    private static final long AGAIN_MILLIS = 500;

    private final String election;
    private final Elector elector;
    private final Consumer<ElectorCandidate> whenClosed;
    private final LeaderWatch watch;
    private final Duration patience;
    private final FaultLog faults = new FaultLog(LOG);
    private final ScheduledThreadPoolExecutor callbacks;
    private final CopyOnWriteArrayList<ElectionListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final CountDownLatch told = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile @Nullable Thread teller;

    /** The term that the elector's last word is about. It begins on the listeners' thread, when they know that the last has ended. */
    private volatile @Nullable ElectorReign reign;

    /** Counts what was heard. */
    private long news;

    /** Why the last one ended. */
    private volatile LossCause cause = LossCause.SUPERSEDED;

    private volatile long silentSince = System.nanoTime();

    /** What listeners were told last; on their thread. */
    private @Nullable ElectorReign toldReign;

    private Optional<Leader> toldLeader = Optional.empty();

    /** @throws IllegalStateException if the elector's stream is not known */
    ElectorCandidate(String election, Elector elector, Consumer<ElectorCandidate> whenClosed) {
        this.election = election;
        this.elector = elector;
        this.whenClosed = whenClosed;
        this.patience = elector.maxAge();
        this.callbacks = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "doyen-elector-" + election);
            thread.setDaemon(true);
            teller = thread;
            return thread;
        });
        // Now, and kept: later the application may be unable to start one.
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
    public Optional<Leadership> leadership() {
        return Optional.<Leadership>ofNullable(reign).filter(Leadership::isCertain);
    }

    @Override
    public Optional<Leader> leader() {
        LeaderState now = watch.state();
        return now.standing() == Standing.UNKNOWN
                ? Optional.empty()
                : now.leader().map(id -> new Leader(id, now.term().orElse(0)));
    }

    @Override
    public Registration listen(ElectionListener listener) {
        later(() -> {
            listeners.add(listener);
            ElectorReign leads = toldReign;
            Optional<Leader> leader = toldLeader;
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
        return switch (now.standing()) {
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

    /** Empty: the elector has it. */
    @Override
    public List<PastTerm> history() {
        return List.of();
    }

    /** Refused, for the elector's lease cannot be given back from here when the task has returned. */
    @Override
    public <X extends Exception> boolean whileLeading(LeaderTask<X> task) {
        throw refused("put the task into a method with @OnElected");
    }

    /** Refused: the elector does that. */
    @Override
    public CompletableFuture<Void> resign() {
        throw refused("send it the order: POST /v1/elections/" + election + "/resign");
    }

    /** Refused: the elector does that. */
    @Override
    public CompletableFuture<Void> resign(Duration cooldown) {
        return resign();
    }

    /** Refused: the elector does that. */
    @Override
    public CompletableFuture<Void> transferTo(String heir) {
        throw refused("send it the order: POST /v1/elections/" + election + "/transfer");
    }

    /** Refused: the elector does that. */
    @Override
    public CompletableFuture<Void> pause() {
        throw refused("send it the order: POST /v1/elections/" + election + "/pause");
    }

    /** Nothing to end, for {@link #pause} is refused. */
    @Override
    public void resume() {}

    /** Believes nothing any more. Waits until listeners have heard of it, for as long as a word of the elector counts. */
    @Override
    public void close() {
        closed = true;
        watch.close();
        ended(LossCause.CLOSED);
        later(() -> {
            tell();
            callbacks.shutdown();
            told.countDown();
        });
        whenClosed.accept(this);
        if (!Thread.currentThread().equals(teller)) {
            try {
                boolean unused = told.await(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** For how long the elector was not heard, if what it said does not count any more. */
    Optional<Duration> silentFor() {
        return watch.state().standing() == Standing.UNKNOWN
                ? Optional.of(Duration.ofNanos(System.nanoTime() - silentSince))
                : Optional.empty();
    }

    /** On the watch's thread, which must not be kept: what it reads late it would believe for longer. */
    private void heard(LeaderState now) {
        if (now.standing() == Standing.UNKNOWN) {
            silentSince = System.nanoTime();
        }
        noted(now);
        if (due.compareAndSet(false, true)) {
            later(() -> {
                due.set(false);
                tellUntilTold();
            });
        }
    }

    /** The watch reports a change once. So this candidate tries again until its listeners have it. */
    private void tellUntilTold() {
        if (!faults.survives("election=" + election + " news", this::tell) && !closed) {
            ScheduledFuture<?> unused =
                    callbacks.schedule(() -> guarded(this::tellUntilTold), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void noted(LeaderState now) {
        news++;
        ElectorReign led = reign;
        if (led != null && !(now.isLeader() && now.term().orElse(led.term()) == led.term())) {
            ended(now.standing() == Standing.UNKNOWN ? LossCause.EXPIRED : LossCause.SUPERSEDED);
        }
    }

    /**
     * On the listeners' thread, when nothing leads that they know of. May ask a question, and wait {@code elector.timeout} for the
     * answer, where the stream does not tell the term. If there is news meanwhile, that decides, and comes here again.
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
                reign = new ElectorReign(election, term, this::remaining);
            }
        }
    }

    private synchronized void ended(LossCause why) {
        if (reign != null) {
            cause = why;
            reign = null;
        }
    }

    private Duration remaining(ElectorReign of) {
        LeaderState now = watch.state();
        boolean leads = now.isLeader() && now.term().orElse(of.term()) == of.term();
        return leads && of == reign ? watch.freshFor() : Duration.ZERO;
    }

    /** A stream at the root has no terms, but an answer there may have one. */
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

    /** On the listeners' thread: whatever became of the term that they know, and then what is so now. */
    private void tell() {
        ElectorReign before = toldReign;
        if (before != null && before != reign) {
            toldReign = null;
            LossCause why = cause;
            listeners.forEach(each -> guarded(() -> each.lost(why)));
        }
        if (toldReign == null) {
            beginIfNamed();
            ElectorReign now = reign;
            if (now != null) {
                toldReign = now;
                listeners.forEach(each -> guarded(() -> each.elected(now)));
            }
        }
        Optional<Leader> leader = leader();
        if (!leader.equals(toldLeader)) {
            toldLeader = leader;
            listeners.forEach(each -> guarded(() -> each.leaderChanged(leader)));
        }
    }

    private void later(Runnable callback) {
        try {
            callbacks.execute(() -> guarded(callback));
        } catch (RejectedExecutionException e) {
            // Closed: there is nobody to tell any more.
        }
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            faults.report("election=" + election + " a listener", e);
        }
    }

    private UnsupportedOperationException refused(String remedy) {
        return new UnsupportedOperationException(
                "election \"" + election + "\" is led by the word of an elector, which alone can do that; " + remedy);
    }
}
