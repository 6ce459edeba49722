package dev.doyen.testkit;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseObserver;
import dev.doyen.election.Candidate;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.Explanation;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An election whose leader and clock a test controls.
 *
 * <p>Pass {@link #election} to the code under test. After that, the test can make a candidate lead, or make the leader
 * lose its leadership with a chosen cause. The fake election uses the real election by lease, with a store in memory.
 * So all its events can also occur in production, in the same order and with the same callbacks.
 *
 * <p>Initially a simulated process, {@value FakeRival#SOMEBODY_ELSE}, leads. No candidate of the test leads before
 * {@link #grant} or {@link #letRun}. If a candidate releases the lease and the election is not paused,
 * {@value FakeRival#SOMEBODY_ELSE} acquires the lease again. If a lease expires because its leader is cut off or
 * frozen, another candidate can acquire the lease, as in production. After {@link #letRun} the test no longer
 * determines which candidate leads.
 *
 * <p>Threads: call the methods of this class from one thread at a time. Virtual time advances only when the test calls
 * a method that advances it. When a call returns, the callbacks that it caused have run on the caller's thread. If the
 * code under test starts its own threads, for example to call {@link LeaseCandidate#whileLeading}, the test must wait
 * for the effects of these threads.
 *
 * <p>This class is longer than most, because it contains all methods that a test can call.
 */
public final class FakeElection implements AutoCloseable {

    /** The maximum real time for which this class waits for work in other threads. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration INSTANT = Duration.ofMillis(1);

    private static final Duration LONGEST_COOLDOWN = Duration.ofHours(1);

    private final String name;
    private final LeaseTiming timing;
    private final VirtualTime time = new VirtualTime();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final List<FakeProcess> processes = new CopyOnWriteArrayList<>();
    private final Contest contest = new Contest();
    private final FakeRival rival;
    private boolean directed = true;

    private FakeElection(String name, LeaseTiming timing) {
        this.name = name;
        this.timing = timing;
        this.rival = new FakeRival(time, store, name, timing.ttl());
        rival.standBy(true);
    }

    /** Returns an election with the default ttl of 10 s. */
    public static FakeElection named(String name) {
        return named(name, LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL));
    }

    /** Returns an election with these durations. */
    public static FakeElection named(String name, LeaseTiming timing) {
        return new FakeElection(name, timing);
    }

    /** Returns the election for the code under test. */
    public Election election() {
        return contest;
    }

    /** Returns the candidate that leads; empty if no candidate of this test leads. */
    public Optional<LeaseCandidate> leader() {
        return leading().flatMap(FakeProcess::candidate);
    }

    /**
     * Lets the only candidate of this test lead.
     *
     * @throws IllegalStateException if the election does not have exactly one candidate, or if this candidate cannot
     *     be elected
     */
    public void grant() {
        List<FakeProcess> candidates =
                processes.stream().filter(FakeElection::campaigns).toList();
        if (candidates.size() != 1) {
            throw new IllegalStateException("election \"" + name + "\" has " + candidates.size()
                    + " candidates; join exactly one, or pass the candidate that must lead");
        }
        grant(candidates.get(0));
    }

    /**
     * Lets {@code candidate} lead, and advances virtual time as far as necessary. If another candidate leads, that
     * candidate hands over.
     *
     * @throws IllegalStateException if the candidate cannot be elected, for example because it is paused
     */
    public void grant(Candidate<?> candidate) {
        grant(process(candidate));
    }

    /**
     * Ends the leadership with {@link LossCause#SUPERSEDED}: the process {@code other} takes the lease and leads.
     *
     * @param other the id of the new leader; it need not be a candidate of this test
     * @throws IllegalStateException if no candidate leads
     */
    public void loseTo(String other) {
        FakeProcess loser = needLeader();
        rival.take(other);
        time.settle();
        passUntil(() -> !leads(loser), timing.ttl(), () -> "the leader did not detect that it was superseded");
        workStops(loser);
    }

    /**
     * Ends the leadership with this cause.
     *
     * <p>If the cause is PAUSED, the candidate does not campaign until {@link LeaseCandidate#resume}.
     *
     * @throws IllegalArgumentException for UNHEALTHY, because only the health check of the code under test can make
     *     its candidate unhealthy
     * @throws IllegalStateException if no candidate leads
     */
    public void lose(LossCause cause) {
        FakeProcess loser = needLeader();
        LeaseCandidate candidate = loser.candidate().orElseThrow();
        switch (cause) {
            case RESIGNED -> await(candidate.resign());
            case TRANSFERRED -> await(candidate.transferTo(FakeRival.SOMEBODY_ELSE));
            case PAUSED -> await(candidate.pause());
            case CLOSED -> candidate.close();
            case EXPIRED -> {
                loser.network().fault(Fault.AWAY);
                time.pass(timing.deadline().plus(INSTANT));
                followedByTheRival();
                loser.network().fault(Fault.NONE);
            }
            case SUSPENDED -> {
                loser.sleep();
                time.pass(timing.deadline().plus(INSTANT));
                followedByTheRival();
                loser.thaw();
            }
            case SUPERSEDED -> loseTo(FakeRival.SOMEBODY_ELSE);
            case UNHEALTHY ->
                throw new IllegalArgumentException("a fake election cannot end a leadership by " + cause
                        + "; let the code under test do what causes it");
        }
        time.settle();
        workStops(loser);
    }

    /**
     * Makes the leader miss a renewal.
     *
     * <p>The leader still leads until its renewal deadline. The store of the leader does not answer until
     * {@link #recover} or {@link #storeAvailable}.
     */
    public void jeopardy() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.AWAY);
        passUntil(leader::isInJeopardy, timing.deadline(), () -> "no renewal was missed");
    }

    /** Lets the store answer the leader again, and advances virtual time until a renewal succeeds. */
    public void recover() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.NONE);
        passUntil(() -> !leader.isInJeopardy(), timing.deadline(), () -> "no renewal succeeded");
    }

    /** Makes every store call of the present candidates and observers fail without an effect. */
    public void storeUnavailable() {
        processes.forEach(each -> each.network().fault(Fault.AWAY));
    }

    /** Makes every call of this candidate to the store fail without an effect. */
    public void storeUnavailable(LeaseCandidate from) {
        process(from).network().fault(Fault.AWAY);
    }

    /** Lets all writes reach the store, but loses all answers of the store. */
    public void answersLost() {
        processes.forEach(each -> each.network().fault(Fault.ANSWERS_LOST));
    }

    /** Lets the store answer all candidates and observers again. */
    public void storeAvailable() {
        processes.forEach(each -> each.network().fault(Fault.NONE));
    }

    /** Advances virtual time by this duration, and runs every task that becomes due. */
    public void pass(Duration duration) {
        time.pass(duration);
    }

    /** Returns the time on both clocks, for the code under test. */
    public Moment now() {
        return time.now();
    }

    /**
     * Freezes the candidate's process for this duration of virtual time.
     *
     * <p>A stopped container or a long GC pause has this effect.
     */
    public void freeze(LeaseCandidate candidate, Duration duration) {
        FakeProcess process = process(candidate);
        process.freeze();
        time.pass(duration);
        process.thaw();
        workStops(process);
    }

    /**
     * Suspends the candidate's computer for this duration of virtual time.
     *
     * <p>The monotonic clock of the computer also stops. The wall clock continues.
     */
    public void suspend(LeaseCandidate candidate, Duration duration) {
        FakeProcess process = process(candidate);
        process.sleep();
        time.pass(duration);
        process.thaw();
        workStops(process);
    }

    /**
     * Removes {@value FakeRival#SOMEBODY_ELSE} from the election, so the candidates elect a leader among themselves.
     */
    public void letRun() {
        directed = false;
        rival.standBy(false);
        rival.release();
        time.settle();
    }

    /**
     * Restores the initial situation, for the next test with the same candidates.
     *
     * <p>After the call every store answers, no candidate is paused, and {@value FakeRival#SOMEBODY_ELSE} leads. The
     * record contains no saved state, no history and no admin command. The method does not reset the terms, the clocks
     * and the result of {@link #written}.
     */
    public void beginAnew() {
        storeAvailable();
        directed = true;
        for (FakeProcess each : processes) {
            each.candidate().ifPresent(LeaseCandidate::resume);
        }
        time.settle();
        // The rival takes the lease as soon as the leader releases it, so no other candidate leads in between.
        rival.standBy(true);
        if (leading().isPresent()) {
            lose(LossCause.RESIGNED);
        }
        rival.takeAnew(FakeRival.SOMEBODY_ELSE);
        time.settle();
    }

    /** Returns every record stored so far, oldest first. */
    public List<LeaseRecord> written() {
        return store.written();
    }

    /**
     * Closes all candidates and observers, and waits for a limited time until their work in other threads has ended.
     */
    @Override
    public void close() {
        rival.standBy(false);
        contest.close();
    }

    private void grant(FakeProcess chosen) {
        LeaseCandidate candidate = chosen.candidate().orElseThrow();
        if (candidate.isLeader()) {
            return;
        }
        workStops(chosen);
        // Check for a greater term. A check for the present leader could fail, because the code under test can finish
        // and resign before the check.
        long before = chosen.lastTerm();
        Optional<FakeProcess> leading = leading();
        var frozen = new ArrayList<>(processes);
        frozen.remove(chosen);
        leading.ifPresent(frozen::remove);
        rival.standBy(false);
        frozen.forEach(FakeProcess::freeze);
        try {
            leading.flatMap(FakeProcess::candidate).ifPresent(each -> await(each.transferTo(candidate.id())));
            // Freeze the former leader. Otherwise it campaigns again if its cooldown ends before the delay of the
            // chosen candidate.
            leading.filter(each -> !leads(each)).ifPresent(each -> {
                time.settle();
                each.freeze();
                frozen.add(each);
            });
            rival.release();
            passWhile(() -> chosen.lastTerm() == before && isWaiting(candidate), LONGEST_COOLDOWN);
            passUntil(
                    () -> isElectedAfter(before, chosen),
                    timing.ttl().multipliedBy(3),
                    () -> "candidate \"" + candidate.id() + "\" was not elected; it explains: "
                            + candidate.explain().sentence());
        } finally {
            frozen.forEach(FakeProcess::thaw);
            rival.standBy(directed);
        }
    }

    /**
     * Returns true if the candidate was elected in a term greater than {@code before}.
     *
     * <p>The callback that reports the term can run in another thread, or wait for another thread. If the callback has
     * not finished, the method waits for it in real time.
     */
    private static boolean isElectedAfter(long before, FakeProcess chosen) {
        waitWhile(() -> chosen.lastTerm() <= before && leadsAfter(before, chosen));
        return chosen.lastTerm() > before;
    }

    private static boolean leadsAfter(long before, FakeProcess process) {
        return process.candidate()
                .flatMap(LeaseCandidate::leadership)
                .filter(leadership -> leadership.term() > before)
                .isPresent();
    }

    private void passWhile(BooleanSupplier waits, Duration most) {
        time.settle();
        for (Duration passed = Duration.ZERO;
                waits.getAsBoolean() && passed.compareTo(most) <= 0;
                passed = passed.plus(timing.pollEvery())) {
            time.pass(timing.pollEvery());
        }
    }

    private static boolean isWaiting(LeaseCandidate candidate) {
        return candidate.explain().reason() == Explanation.Reason.COOLDOWN;
    }

    private void followedByTheRival() {
        if (directed) {
            rival.take(FakeRival.SOMEBODY_ELSE);
        }
    }

    private void passUntil(BooleanSupplier reached, Duration most, Supplier<String> otherwise) {
        passWhile(() -> !reached.getAsBoolean(), most);
        if (!reached.getAsBoolean()) {
            throw new IllegalStateException(
                    "election \"" + name + "\": " + otherwise.get() + " (" + most.toMillis() + " ms were let pass)");
        }
    }

    /**
     * Waits for the resignation in real time. The leader's work can run in another thread. If the work does not end
     * within {@link #PATIENCE}, the lease expires later.
     */
    private void await(CompletableFuture<Void> resigned) {
        time.settle();
        resigned.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /**
     * Waits in real time for an interrupted task in another thread. The candidate is not elected again before this task
     * has stopped.
     */
    private void workStops(FakeProcess process) {
        LeaseCandidate candidate = process.candidate().orElseThrow();
        waitWhile(() -> candidate.explain().reason() == Explanation.Reason.STOPPING);
        time.settle();
    }

    /** Waits in real time while {@code holds} returns true, at most for {@link #PATIENCE}. */
    private static void waitWhile(BooleanSupplier holds) {
        long start = System.nanoTime();
        while (holds.getAsBoolean() && System.nanoTime() - start < PATIENCE.toNanos()) {
            LockSupport.parkNanos(INSTANT.toNanos() / 10);
        }
    }

    private FakeProcess needLeader() {
        return leading()
                .orElseThrow(() -> new IllegalStateException(
                        "no candidate of election \"" + name + "\" leads; grant one the leadership first"));
    }

    private Optional<FakeProcess> leading() {
        return processes.stream().filter(FakeElection::leads).findFirst();
    }

    /** Returns true if the process has a candidate that was not closed. */
    private static boolean campaigns(FakeProcess process) {
        return process.candidate()
                .filter(each -> each.explain().reason() != Explanation.Reason.GONE)
                .isPresent();
    }

    private static boolean leads(FakeProcess process) {
        return process.candidate().filter(LeaseCandidate::isLeader).isPresent();
    }

    private FakeProcess process(Candidate<?> candidate) {
        return processes.stream()
                .filter(each ->
                        each.candidate().filter(own -> own.equals(candidate)).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("candidate \"" + candidate.id()
                        + "\" did not join this fake election; join by election().join(...)"));
    }

    /** Sets the name of the election for a test parameter that {@link FakeElectionExtension} provides. */
    @Target(ElementType.PARAMETER)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Named {
        String value();
    }

    /**
     * The election for the code under test. This election creates a simulated process for each candidate and
     * observer.
     */
    private final class Contest implements Election {
        private boolean closed;

        @Override
        public String name() {
            return name;
        }

        @Override
        public LeaseCandidate join(String id) {
            return start().join(id);
        }

        @Override
        public LeaseObserver observe() {
            return start().observe();
        }

        @Override
        public Control control(String by) {
            return start().election().control(by);
        }

        @Override
        public void close() {
            closed = true;
            processes.forEach(each -> {
                each.thaw();
                if (each.network().isFaulty()) {
                    closeWhileTimePasses(each);
                } else {
                    each.election().close();
                }
            });
        }

        /**
         * Closes the process while this thread lets virtual time pass.
         *
         * <p>Time must pass, because the election retries unanswered calls after a delay.
         */
        private void closeWhileTimePasses(FakeProcess process) {
            process.network().fault(Fault.NONE);
            var closing = new Thread(process.election()::close);
            closing.setDaemon(true);
            closing.start();
            long start = System.nanoTime();
            while (closing.isAlive() && System.nanoTime() - start < PATIENCE.toNanos()) {
                time.pass(timing.pollEvery());
                LockSupport.parkNanos(INSTANT.toNanos() / 10);
            }
        }

        private FakeProcess start() {
            if (closed) {
                throw new IllegalStateException("election \"" + name + "\" is closed");
            }
            var process = new FakeProcess(name, time, store, timing, processes.size() + 1L);
            processes.add(process);
            return process;
        }
    }
}
