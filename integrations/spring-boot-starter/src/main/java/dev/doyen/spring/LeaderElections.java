package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Leadership;
import dev.doyen.event.Explanation;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * The elections of this application, with the application's candidate in each election.
 *
 * <p>When the context starts, the candidates join after the web server listens. When the context stops, each candidate
 * first waits until its running {@link LeaderOnly} calls have finished, within Spring's timeout for a phase. Then the
 * candidate leaves, which interrupts its {@link OnElected} methods. The candidates leave concurrently, before the web
 * server drains.
 *
 * <p>Threads: the methods may be called on any thread. {@link #leave} waits as {@link Candidate#close} does.
 * {@link #stop} first waits for the running calls, and then waits as {@link #leave} does.
 */
public final class LeaderElections implements SmartLifecycle {

    /**
     * The phase in which the elections start and stop.
     *
     * <p>The elections start after the web server (phase {@code DEFAULT_PHASE - 2048}) and stop before the web server
     * drains (phase {@code DEFAULT_PHASE - 1024}). Spring's schedulers stop far later, in the phase
     * {@code DEFAULT_PHASE / 2}. Therefore this class itself waits for the calls that schedulers run.
     */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    /** The name of Spring's setting for the maximum stop time of a phase. */
    static final String PATIENCE = "spring.lifecycle.timeout-per-shutdown-phase";

    /** The maximum number of candidates that leave concurrently. */
    private static final int LEAVING = 16;

    private final DoyenProperties properties;
    private final String candidateId;
    private final ElectionSource source;
    private final List<CandidateObserver> observers;
    private final ApplicationEventPublisher publisher;
    private final UnaryOperator<String> placeholders;
    private final Duration patience;
    private final Map<String, Participation> participations = new TreeMap<>();
    private final ElectionJoiner joiner = new ElectionJoiner(this::joinIfDue);
    private volatile boolean running;
    private volatile boolean stopping;

    LeaderElections(
            DoyenProperties properties,
            String candidateId,
            ElectionSource source,
            List<CandidateObserver> observers,
            ApplicationEventPublisher publisher,
            UnaryOperator<String> placeholders,
            Duration patience) {
        this.properties = properties;
        this.candidateId = candidateId;
        this.source = source;
        this.observers = List.copyOf(observers);
        this.publisher = publisher;
        this.placeholders = placeholders;
        this.patience = patience;
        properties.elections().keySet().forEach(this::participation);
    }

    /** Returns the sorted names of all elections in the configuration, in annotations and in calls of {@link #join}. */
    public SortedSet<String> names() {
        synchronized (participations) {
            return new TreeSet<>(participations.keySet());
        }
    }

    /**
     * Returns this application's candidate; empty if the application has not joined the election.
     *
     * <p>The candidate is a {@link dev.doyen.LeaseCandidate} or a {@code RingCandidate}, unless an elector campaigns
     * for this application.
     */
    public Optional<Candidate<?>> candidate(String name) {
        return existing(name).flatMap(Participation::candidate);
    }

    /** Returns the present leadership, or an empty result if this application does not lead. */
    public Optional<Leadership> leadership(String name) {
        return candidate(name).flatMap(Candidate::leadership);
    }

    /** Returns {@link Candidate#isLeader}, or false if this application has not joined. */
    public boolean isLeader(String name) {
        return candidate(name).filter(Candidate::isLeader).isPresent();
    }

    /**
     * Explains why this application leads, or does not lead. The result is empty if this application does not take part
     * in the election.
     *
     * <p>If the store could not be opened yet, the explanation contains the reason.
     */
    public Optional<Explanation> explain(String name) {
        return candidate(name).map(Candidate::explain).or(() -> notJoined(name));
    }

    /** Explains why this application has not joined an election that it has to join; empty in other cases. */
    Optional<Explanation> notJoined(String name) {
        return joiner.explain(name);
    }

    /**
     * Joins this election, unless this application has already joined. Call this method for elections with
     * {@code auto-start: false}.
     *
     * <p>The result is empty if the store is unavailable and {@code doyen.fail-fast} is false. The application then
     * joins when the store answers, unless {@link #leave} is called before.
     *
     * @throws StoreRefusedException if the store rejects this application, because a right is missing
     * @throws StoreUnavailableException if the store is unavailable and {@code doyen.fail-fast} is true
     * @throws IllegalStateException if {@code doyen.enabled} is false, or if the application is stopping or has
     *     stopped. If a candidate joined then, the candidate could lead, but no listener would receive the end of the
     *     leadership
     */
    public Optional<Candidate<?>> join(String name) {
        try {
            return Optional.of(joinNow(name, () -> checkNotStopping(name)));
        } catch (StoreUnavailableException e) {
            if (properties.failFast() || e instanceof StoreRefusedException) {
                throw e;
            }
            joiner.joinLater(name, e);
            return Optional.empty();
        }
    }

    /** Leaves this election until the next call of {@link #join}. */
    public void leave(String name) {
        joiner.forget(name);
        existing(name).ifPresent(Participation::leave);
    }

    @Override
    public void start() {
        stopping = false;
        all().forEach(Participation::admit);
        running = true;
        List<String> starting = names().stream()
                .filter(name -> properties.election(name).autoStart())
                .toList();
        if (properties.failFast()) {
            starting.forEach(this::join);
        } else {
            joiner.joinAll(starting, ElectionJoiner.FIRST_ATTEMPT);
        }
    }

    @Override
    public void stop() {
        leaveAll().join();
    }

    /**
     * Stops, and then runs the callback on the calling thread.
     *
     * <p>The callback runs before this method returns. Otherwise Spring could mistake the callback of a dependent bean
     * for the callback of this bean.
     */
    @Override
    public void stop(Runnable callback) {
        stop();
        callback.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return properties.enabled();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Closes the elections and their source. */
    void close() {
        leaveAll().join();
        all().forEach(Participation::close);
        source.close();
    }

    /** @param name the name of the election, which may contain placeholders */
    TermGate gate(String name) {
        return participation(placeholders.apply(name)).gate();
    }

    /**
     * Declares an election that an annotation names.
     *
     * @param name the name of the election, which may contain placeholders
     */
    Participation declare(String name, String where) {
        return participation(Refusals.under(
                "the election named at " + where, () -> ElectionNames.checkElection(placeholders.apply(name))));
    }

    /**
     * Returns how long the store or the elector has been unavailable. The result is empty if it is available, or if its
     * state is unknown.
     */
    Optional<Duration> silentFor() {
        return joiner.dueFor().or(source::silentFor);
    }

    private Candidate<?> joinNow(String name, Runnable mayJoin) {
        if (!properties.enabled()) {
            throw new IllegalStateException(
                    "election \"" + name + "\" cannot be joined, because doyen.enabled is false; set it to true");
        }
        return participation(name).join(mayJoin, this::open, candidateId, observers);
    }

    /** Joins the election if no other thread has left it, or stopped this application, before. */
    private void joinIfDue(String name) {
        Candidate<?> unused = joinNow(name, () -> {
            checkNotStopping(name);
            if (!joiner.isDue(name)) {
                throw new IllegalStateException("this application has left the election \"" + name + "\"");
            }
        });
    }

    private JoinableElection open(String name) {
        return source.open(name, properties.election(name));
    }

    private void checkNotStopping(String name) {
        if (stopping) {
            throw new IllegalStateException(
                    "election \"" + name + "\" cannot be joined, because this application is stopping; join earlier");
        }
    }

    private CompletableFuture<Void> leaveAll() {
        stopping = true;
        running = false;
        joiner.stop();
        Thread caller = Thread.currentThread();
        long until = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        List<Participation> participations = all();
        participations.forEach(Participation::admitNoMore);
        ExecutorService threads = Executors.newFixedThreadPool(LEAVING, task -> {
            var thread = new Thread(task, "doyen-leaving");
            thread.setDaemon(true);
            return thread;
        });
        CompletableFuture<?>[] leaving = participations.stream()
                .map(participation -> run(
                        () -> {
                            participation.awaitCalls(caller, until);
                            participation.leave();
                        },
                        threads))
                .toArray(CompletableFuture<?>[]::new);
        threads.shutdown();
        return CompletableFuture.allOf(leaving);
    }

    /**
     * Runs a task on another thread if the JVM can start a thread.
     *
     * <p>Otherwise the task runs on the caller's thread, because an application that stops must leave its elections.
     */
    private static CompletableFuture<Void> run(Runnable task, Executor threads) {
        try {
            return CompletableFuture.runAsync(task, threads);
        } catch (Throwable e) {
            return CompletableFuture.runAsync(task, Runnable::run);
        }
    }

    private List<Participation> all() {
        synchronized (participations) {
            return List.copyOf(participations.values());
        }
    }

    private Optional<Participation> existing(String name) {
        synchronized (participations) {
            return Optional.ofNullable(participations.get(name));
        }
    }

    private Participation participation(String name) {
        synchronized (participations) {
            return participations.computeIfAbsent(name, each -> new Participation(each, publisher));
        }
    }
}
