package dev.doyen.spring;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.Leadership;
import dev.doyen.store.ElectionNames;
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
 * The elections of this application, and its candidate in each.
 *
 * <p>As the context starts, candidates join after the web server listens. As it stops, calls under a term may end by themselves,
 * for the time that Spring gives a phase; then the candidates leave, all at once and before the web server drains. Threads: any;
 * {@link #leave} waits as {@link Candidate#close} does, and stopping does after the calls.
 */
public final class LeaderElections implements SmartLifecycle {

    /**
     * Starts after the web server (2048 before the default), and stops before that drains (1024). Spring's schedulers stop far
     * later, at half the default, so the end of what they run is waited for here.
     */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    /** The setting for how long a phase may take to stop. */
    static final String PATIENCE = "spring.lifecycle.timeout-per-shutdown-phase";

    /** So many candidates leave at a time. */
    private static final int LEAVING = 16;

    private final DoyenProperties properties;
    private final String candidateId;
    private final ElectionSource source;
    private final List<CandidateAttendant> attendants;
    private final ApplicationEventPublisher publisher;
    private final UnaryOperator<String> placeholders;
    private final Duration patience;
    private final Map<String, Seat> seats = new TreeMap<>();
    private volatile boolean running;
    private volatile boolean stopping;

    LeaderElections(
            DoyenProperties properties,
            String candidateId,
            ElectionSource source,
            List<CandidateAttendant> attendants,
            ApplicationEventPublisher publisher,
            UnaryOperator<String> placeholders,
            Duration patience) {
        this.properties = properties;
        this.candidateId = candidateId;
        this.source = source;
        this.attendants = List.copyOf(attendants);
        this.publisher = publisher;
        this.placeholders = placeholders;
        this.patience = patience;
        properties.elections().keySet().forEach(this::seat);
    }

    /** The names of all elections, configured and annotated, in order. */
    public SortedSet<String> names() {
        synchronized (seats) {
            return new TreeSet<>(seats.keySet());
        }
    }

    /** This application's candidate, while it stands. */
    public Optional<Candidate> candidate(String name) {
        return existing(name).flatMap(Seat::candidate);
    }

    /** The leadership, while this application leads. */
    public Optional<Leadership> leadership(String name) {
        return candidate(name).flatMap(Candidate::leadership);
    }

    /** As {@link Candidate#isLeader}; false too where this application does not stand. */
    public boolean isLeader(String name) {
        return candidate(name).filter(Candidate::isLeader).isPresent();
    }

    /**
     * Stands in this election, if it does not yet: for those with {@code auto-start: false}.
     *
     * @throws IllegalStateException if {@code doyen.enabled} is false, or the application stops: who joined then would lead,
     *     and nobody would be told of the end
     */
    public Candidate join(String name) {
        if (!properties.enabled()) {
            throw new IllegalStateException(
                    "election \"" + name + "\" cannot be joined, for doyen.enabled is false; set it to true");
        }
        return seat(name).join(() -> checkNotStopping(name), this::open, candidateId, attendants);
    }

    /** Stands no more in this election, until {@link #join}. */
    public void leave(String name) {
        existing(name).ifPresent(Seat::leave);
    }

    @Override
    public void start() {
        stopping = false;
        all().forEach(Seat::admit);
        running = true;
        for (String name : names()) {
            if (properties.election(name).autoStart()) {
                join(name);
            }
        }
    }

    @Override
    public void stop() {
        leaveAll().join();
    }

    /** Waits before it calls back: the callback of a bean that depends on this one would be taken for it. */
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

    /** Closes the elections, and where they came from. */
    void close() {
        leaveAll().join();
        all().forEach(Seat::close);
        source.close();
    }

    /** @param name may have placeholders */
    TermGate gate(String name) {
        return seat(placeholders.apply(name)).gate();
    }

    /**
     * An election that an annotation names.
     *
     * @param name may have placeholders
     */
    Seat declare(String name, String where) {
        return seat(Refusals.under(
                "the election named at " + where, () -> ElectionNames.checkElection(placeholders.apply(name))));
    }

    private Election open(String name) {
        return source.open(name, properties.election(name));
    }

    private void checkNotStopping(String name) {
        if (stopping) {
            throw new IllegalStateException(
                    "election \"" + name + "\" cannot be joined, for this application stops; join before it does");
        }
    }

    private CompletableFuture<Void> leaveAll() {
        stopping = true;
        running = false;
        Thread asking = Thread.currentThread();
        long until = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        List<Seat> seats = all();
        seats.forEach(Seat::admitNoMore);
        ExecutorService threads = Executors.newFixedThreadPool(LEAVING, task -> {
            var thread = new Thread(task, "doyen-leaving");
            thread.setDaemon(true);
            return thread;
        });
        CompletableFuture<?>[] leaving = seats.stream()
                .map(seat -> run(
                        () -> {
                            seat.awaitCalls(asking, until);
                            seat.leave();
                        },
                        threads))
                .toArray(CompletableFuture<?>[]::new);
        threads.shutdown();
        return CompletableFuture.allOf(leaving);
    }

    /** On the caller's thread if no other can be started: an application that stops leaves its elections. */
    private static CompletableFuture<Void> run(Runnable task, Executor threads) {
        try {
            return CompletableFuture.runAsync(task, threads);
        } catch (Throwable e) {
            return CompletableFuture.runAsync(task, Runnable::run);
        }
    }

    private List<Seat> all() {
        synchronized (seats) {
            return List.copyOf(seats.values());
        }
    }

    private Optional<Seat> existing(String name) {
        synchronized (seats) {
            return Optional.ofNullable(seats.get(name));
        }
    }

    private Seat seat(String name) {
        synchronized (seats) {
            return seats.computeIfAbsent(name, each -> new Seat(each, publisher));
        }
    }
}
