package dev.doyen.testkit;

import dev.doyen.Candidate;
import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.Observer;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.LeaseTiming;
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

/**
 * An election whose course and time a test directs. Hand {@link #election} to the code under test, then say who leads,
 * who loses and why. It is the real election by lease, over a store in memory: what happens here can happen there, in
 * the same order and with the same callbacks.
 *
 * <p>In the beginning {@value FakeRival#SOMEBODY_ELSE} leads. Nobody else does until {@link #grant}; a lease that is
 * given back goes to {@value FakeRival#SOMEBODY_ELSE} again. A lease that runs out while its leader is cut off or frozen
 * goes to another candidate, as it would in earnest. {@link #letRun} ends the directing.
 *
 * <p>Threads: time stands still unless the test lets it pass. Callbacks have run when the call that caused them returns,
 * on the caller's thread. What the code under test starts in threads of its own (such as
 * {@link Candidate#whileLeading}) really runs there: wait for something it does. Direct it from one thread at a time.
 *
 * <p>Longer than most: it is what a test says, all in one place.
 */
public final class FakeElection implements AutoCloseable {

    /** How long, in real time, the end of work is waited for that runs in threads of the code under test. */
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

    /** An election with the default lease of 10 s. */
    public static FakeElection named(String name) {
        return named(name, LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL));
    }

    public static FakeElection named(String name, LeaseTiming timing) {
        return new FakeElection(name, timing);
    }

    /** What the code under test gets. */
    public Election election() {
        return contest;
    }

    /** Which candidate of this test leads. */
    public Optional<Candidate> leader() {
        return leading().flatMap(FakeProcess::candidate);
    }

    /** Lets the only candidate lead. */
    public void grant() {
        List<FakeProcess> candidates =
                processes.stream().filter(FakeElection::stands).toList();
        if (candidates.size() != 1) {
            throw new IllegalStateException("election \"" + name + "\" has " + candidates.size()
                    + " candidates; join one, or say which one is to lead");
        }
        grant(candidates.get(0));
    }

    /** Lets {@code candidate} lead. If another leads, that one hands over to it. Takes the time it takes. */
    public void grant(Candidate candidate) {
        grant(process(candidate));
    }

    /** The leader loses because {@code other}, whoever that is, leads now: {@link LossCause#SUPERSEDED}. */
    public void loseTo(String other) {
        FakeProcess loser = needLeader();
        rival.take(other);
        time.settle();
        passUntil(() -> !leads(loser), timing.ttl(), "the leader did not find that it is superseded");
        workStops(loser);
    }

    /**
     * The leader loses for this reason, any but UNHEALTHY. After PAUSED it stands back until {@link Candidate#resume}.
     *
     * @throws IllegalArgumentException for UNHEALTHY, because the health check of the code under test decides that
     */
    public void lose(LossCause cause) {
        FakeProcess loser = needLeader();
        Candidate candidate = loser.candidate().orElseThrow();
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

    /** The leader misses a renewal, and goes on leading for the rest of its time; its store stays away. */
    public void jeopardy() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.AWAY);
        passUntil(leader::isInJeopardy, timing.deadline(), "no renewal was missed");
    }

    /** The leader's store answers again, and the next renewal succeeds. */
    public void recover() {
        FakeProcess leader = needLeader();
        leader.network().fault(Fault.NONE);
        passUntil(() -> !leader.isInJeopardy(), timing.deadline(), "no renewal succeeded");
    }

    /** From now on no call of anybody's reaches the store. */
    public void storeAway() {
        processes.forEach(each -> each.network().fault(Fault.AWAY));
    }

    /** From now on no call of this candidate's reaches the store, while the others' do. */
    public void storeAway(Candidate from) {
        process(from).network().fault(Fault.AWAY);
    }

    /** From now on everybody's writes are stored, but no answer says so. */
    public void answersLost() {
        processes.forEach(each -> each.network().fault(Fault.ANSWERS_LOST));
    }

    /** The store answers everybody again. */
    public void storeBack() {
        processes.forEach(each -> each.network().fault(Fault.NONE));
    }

    /** Lets this much time pass, and everything happen that falls due in it. */
    public void pass(Duration duration) {
        time.pass(duration);
    }

    /** Both clocks of everybody, for the code under test to read. */
    public Moment now() {
        return time.now();
    }

    /** The candidate's process stands still for so long, while time passes for all: a stopped container, a long GC. */
    public void freeze(Candidate candidate, Duration duration) {
        FakeProcess process = process(candidate);
        process.freeze();
        time.pass(duration);
        process.thaw();
        workStops(process);
    }

    /** The candidate's machine sleeps for so long: its monotonic clock stands still too, but its wall clock does not. */
    public void suspend(Candidate candidate, Duration duration) {
        FakeProcess process = process(candidate);
        process.sleep();
        time.pass(duration);
        process.thaw();
        workStops(process);
    }

    /** Ends the directing: somebody else goes for good, and the candidates elect one of them by themselves. */
    public void letRun() {
        directed = false;
        rival.standBy(false);
        rival.release();
        time.settle();
    }

    /**
     * As in the beginning, for the next test with the same candidates: every store answers, nobody is paused, and somebody
     * else leads. Terms go on rising, and time has passed.
     */
    public void beginAnew() {
        storeBack();
        directed = true;
        for (FakeProcess each : processes) {
            each.candidate().ifPresent(Candidate::resume);
        }
        time.settle();
        if (leading().isPresent()) {
            lose(LossCause.RESIGNED);
        }
        rival.takeUnpaused(FakeRival.SOMEBODY_ELSE);
        rival.standBy(true);
        time.settle();
    }

    /** Every record stored so far, oldest first. */
    public List<LeaseRecord> written() {
        return store.written();
    }

    /** Closes everything that joined. Waits for work in threads of the code under test, but not for ever. */
    @Override
    public void close() {
        rival.standBy(false);
        contest.close();
    }

    private void grant(FakeProcess chosen) {
        Candidate candidate = chosen.candidate().orElseThrow();
        if (candidate.isLeader()) {
            return;
        }
        workStops(chosen);
        // Elected is enough: the code under test may be done, and have resigned, before anybody looks.
        long before = chosen.lastTerm();
        Optional<FakeProcess> leading = leading();
        var frozen = new ArrayList<>(processes);
        frozen.remove(chosen);
        leading.ifPresent(frozen::remove);
        rival.standBy(false);
        frozen.forEach(FakeProcess::freeze);
        try {
            leading.flatMap(FakeProcess::candidate).ifPresent(each -> await(each.transferTo(candidate.id())));
            // It stands back for a while, which may be over before the chosen one's own is.
            leading.filter(each -> !leads(each)).ifPresent(each -> {
                time.settle();
                each.freeze();
                frozen.add(each);
            });
            rival.release();
            passWhile(() -> chosen.lastTerm() == before && standsBack(candidate), LONGEST_COOLDOWN);
            passUntil(
                    () -> chosen.lastTerm() > before,
                    timing.ttl().multipliedBy(3),
                    "candidate \"" + candidate.id() + "\" was not elected; is it closed, paused, or its store away?");
        } finally {
            frozen.forEach(FakeProcess::thaw);
            rival.standBy(directed);
        }
    }

    private void passWhile(BooleanSupplier waits, Duration most) {
        time.settle();
        for (Duration passed = Duration.ZERO;
                waits.getAsBoolean() && passed.compareTo(most) <= 0;
                passed = passed.plus(timing.pollEvery())) {
            time.pass(timing.pollEvery());
        }
    }

    private static boolean standsBack(Candidate candidate) {
        return candidate.explain().reason() == Explanation.Reason.STANDING_BACK;
    }

    private void followedByTheRival() {
        if (directed) {
            rival.take(FakeRival.SOMEBODY_ELSE);
        }
    }

    private void passUntil(BooleanSupplier reached, Duration most, String otherwise) {
        passWhile(() -> !reached.getAsBoolean(), most);
        if (!reached.getAsBoolean()) {
            throw new IllegalStateException(
                    "election \"" + name + "\": " + otherwise + " (" + most.toMillis() + " ms were let pass)");
        }
    }

    /** Work in a thread of the code under test ends in real time; if it does not, its lease runs out, as in earnest. */
    private void await(CompletableFuture<Void> resigned) {
        time.settle();
        resigned.completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Waits, in real time, for a task in a thread of its own that has been interrupted; nobody is elected before. */
    private void workStops(FakeProcess process) {
        Candidate candidate = process.candidate().orElseThrow();
        long start = System.nanoTime();
        while (candidate.explain().reason() == Explanation.Reason.STOPPING
                && System.nanoTime() - start < PATIENCE.toNanos()) {
            LockSupport.parkNanos(INSTANT.toNanos() / 10);
        }
        time.settle();
    }

    private FakeProcess needLeader() {
        return leading()
                .orElseThrow(() -> new IllegalStateException(
                        "no candidate of election \"" + name + "\" leads; grant one the leadership first"));
    }

    private Optional<FakeProcess> leading() {
        return processes.stream().filter(FakeElection::leads).findFirst();
    }

    /** Whether it has a candidate, which was not closed. */
    private static boolean stands(FakeProcess process) {
        return process.candidate()
                .filter(each -> each.explain().reason() != Explanation.Reason.GONE)
                .isPresent();
    }

    private static boolean leads(FakeProcess process) {
        return process.candidate().filter(Candidate::isLeader).isPresent();
    }

    private FakeProcess process(Candidate candidate) {
        return processes.stream()
                .filter(each ->
                        each.candidate().filter(own -> own.equals(candidate)).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("candidate \"" + candidate.id()
                        + "\" did not join this fake election; join by election().join(...)"));
    }

    /** The name of the election that a parameter of a test gets from {@link FakeElectionExtension}. */
    @Target(ElementType.PARAMETER)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Named {
        String value();
    }

    /** Gives everybody who joins a process of its own. */
    private final class Contest implements Election {
        private boolean closed;

        @Override
        public String name() {
            return name;
        }

        @Override
        public Candidate join(String id) {
            return start().join(id);
        }

        @Override
        public Observer observe() {
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

        /** What went unanswered is tried again after a while, so closing takes virtual time, which nobody else lets pass. */
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
