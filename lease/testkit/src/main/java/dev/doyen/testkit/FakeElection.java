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
import dev.doyen.store.LeaseStores;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An election whose leader and clock a test controls.
 *
 * <p>Pass {@link #election} to the code under test. Then let a candidate lead, or let it lose the leadership for some
 * cause. This is the real election by lease over a store in memory. So everything that happens here can also happen in
 * production, in the same order and with the same callbacks.
 *
 * <p>At first {@value FakeRival#SOMEBODY_ELSE} leads. No other candidate leads before {@link #grant}. If a candidate
 * releases the lease, {@value FakeRival#SOMEBODY_ELSE} acquires it again. If a lease expires because its leader is cut
 * off or frozen, another candidate may acquire it, as in production. {@link #letRun} ends the control.
 *
 * <p>Threads: control the election from one thread at a time. Time passes only when the test lets it pass. When a call
 * returns, the callbacks that it caused have run on the caller's thread. Code under test that starts its own threads,
 * such as a caller of {@link LeaseCandidate#whileLeading}, really runs there. So wait for an effect of it.
 *
 * <p>Longer than most classes, because it contains everything that a test can call.
 */
public final class FakeElection implements AutoCloseable {

    /** Real time to wait for the end of work in other threads. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration INSTANT = Duration.ofMillis(1);

    private static final Duration LONGEST_COOLDOWN = Duration.ofHours(1);

    private final String name;
    private final LeaseTiming timing;
    private final VirtualTime time = new VirtualTime();
    private final FaultyLeaseStore store = new FaultyLeaseStore(LeaseStores.open("memory:" + UUID.randomUUID()));
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

    /** Returns the candidate of this test that leads. */
    public Optional<LeaseCandidate> leader() {
        return leading().flatMap(FakeProcess::candidate);
    }

    /**
     * Lets the only candidate lead.
     *
     * @throws IllegalStateException if the election does not have exactly one candidate, or it cannot be elected
     */
    public void grant() {
        List<FakeProcess> candidates =
                processes.stream().filter(FakeElection::stands).toList();
        if (candidates.size() != 1) {
            throw new IllegalStateException("election \"" + name + "\" has " + candidates.size()
                    + " candidates; join one, or say which one is to lead");
        }
        grant(candidates.get(0));
    }

    /**
     * Lets {@code candidate} lead. If another one leads, it hands over. Passes as much time as that takes.
     *
     * @throws IllegalStateException if the candidate cannot be elected, for example because it is paused
     */
    public void grant(Candidate<?> candidate) {
        grant(process(candidate));
    }

    /**
     * Ends the leadership because {@code other} leads now: {@link LossCause#SUPERSEDED}.
     *
     * @param other any id; it need not be a candidate of this test
     * @throws IllegalStateException if no candidate leads
     */
    public void loseTo(String other) {
        FakeProcess loser = needLeader();
        rival.take(other);
        time.settle();
        passUntil(() -> !leads(loser), timing.ttl(), () -> "the leader did not find that it is superseded");
        workStops(loser);
    }

    /**
     * Ends the leadership for this cause.
     *
     * <p>After PAUSED the candidate does not campaign until {@link LeaseCandidate#resume}.
     *
     * @throws IllegalArgumentException for UNHEALTHY, because the health check of the code under test decides that
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
                throw new IllegalArgumentException("a fake election cannot be told to end a leadership by " + cause
                        + "; let the code under test do what has that effect");
        }
        time.settle();
        workStops(loser);
    }

    /**
     * Makes the leader miss a renewal.
     *
     * <p>It leads until its deadline. Its store does not answer until {@link #recover} or {@link #storeBack}.
     */
    public void jeopardy() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.AWAY);
        passUntil(leader::isInJeopardy, timing.deadline(), () -> "no renewal was missed");
    }

    /** Lets the leader's store answer again, and passes time until a renewal succeeds. */
    public void recover() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.NONE);
        passUntil(() -> !leader.isInJeopardy(), timing.deadline(), () -> "no renewal succeeded");
    }

    /** Makes every call to the store fail without an effect, for all candidates. */
    public void storeAway() {
        processes.forEach(each -> each.network().fault(Fault.AWAY));
    }

    /** Makes every call of this candidate to the store fail without an effect. */
    public void storeAway(LeaseCandidate from) {
        process(from).network().fault(Fault.AWAY);
    }

    /** Lets all writes reach the store, but loses the answers. */
    public void answersLost() {
        processes.forEach(each -> each.network().fault(Fault.ANSWERS_LOST));
    }

    /** Lets the store answer all candidates again. */
    public void storeBack() {
        processes.forEach(each -> each.network().fault(Fault.NONE));
    }

    /** Passes this much time, and runs everything that becomes due in it. */
    public void pass(Duration duration) {
        time.pass(duration);
    }

    /** Returns both clocks, for the code under test. */
    public Moment now() {
        return time.now();
    }

    /**
     * Freezes the candidate's process while this much time passes.
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
     * Suspends the candidate's machine while this much time passes.
     *
     * <p>Its monotonic clock stops too, but its wall clock does not.
     */
    public void suspend(LeaseCandidate candidate, Duration duration) {
        FakeProcess process = process(candidate);
        process.sleep();
        time.pass(duration);
        process.thaw();
        workStops(process);
    }

    /**
     * Ends the control: {@value FakeRival#SOMEBODY_ELSE} leaves, and the candidates elect a leader among themselves.
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
     * <p>Every store answers, nobody is paused, and {@value FakeRival#SOMEBODY_ELSE} leads. Terms and clocks are not
     * reset.
     */
    public void beginAnew() {
        storeBack();
        directed = true;
        for (FakeProcess each : processes) {
            each.candidate().ifPresent(LeaseCandidate::resume);
        }
        time.settle();
        if (leading().isPresent()) {
            lose(LossCause.RESIGNED);
        }
        rival.takeUnpaused(FakeRival.SOMEBODY_ELSE);
        rival.standBy(true);
        time.settle();
    }

    /** Returns every record stored so far, oldest first. */
    public List<LeaseRecord> written() {
        return store.written();
    }

    /** Closes all candidates and observers. Waits for work in threads of the code under test, for a limited time. */
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
        // A greater term is enough. The code under test may finish and resign before anybody looks.
        long before = chosen.lastTerm();
        Optional<FakeProcess> leading = leading();
        var frozen = new ArrayList<>(processes);
        frozen.remove(chosen);
        leading.ifPresent(frozen::remove);
        rival.standBy(false);
        frozen.forEach(FakeProcess::freeze);
        try {
            leading.flatMap(FakeProcess::candidate).ifPresent(each -> await(each.transferTo(candidate.id())));
            // The former leader does not campaign during its cooldown, which may end before the chosen candidate's
            // delay.
            leading.filter(each -> !leads(each)).ifPresent(each -> {
                time.settle();
                each.freeze();
                frozen.add(each);
            });
            rival.release();
            passWhile(() -> chosen.lastTerm() == before && standsBack(candidate), LONGEST_COOLDOWN);
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
     * Returns true if the candidate was elected in a later term.
     *
     * <p>Waits in real time if the callback that reports the term, or one before it, runs in another thread.
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

    private static boolean standsBack(LeaseCandidate candidate) {
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

    /** Waits in real time, because the work may run in another thread. If it does not end, its lease expires. */
    private void await(CompletableFuture<Void> resigned) {
        time.settle();
        resigned.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Waits in real time for an interrupted task in another thread. Nobody is elected before it has stopped. */
    private void workStops(FakeProcess process) {
        LeaseCandidate candidate = process.candidate().orElseThrow();
        waitWhile(() -> candidate.explain().reason() == Explanation.Reason.STOPPING);
        time.settle();
    }

    /** Waits in real time, at most for {@link #PATIENCE}. */
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

    /** Returns whether the process has a candidate that was not closed. */
    private static boolean stands(FakeProcess process) {
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

    /** Names the election for a test's parameter, which {@link FakeElectionExtension} provides. */
    @Target(ElementType.PARAMETER)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Named {
        String value();
    }

    /** Gives each candidate and observer its own process. */
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
