package dev.doyen.stores.quorum;

import dev.doyen.event.HandOverState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.log.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Members and their clients in one thread and in virtual time, from one seed. Members lose power and what was not
 * durable, stand still, and are cut off in one direction or in both; frames are lost and late.
 *
 * <p>In a changing world more processes wait to become members, and a {@link WorldOperator} adds, removes and replaces some.
 *
 * <p>Each process has a client that reads registers and writes them by compare-and-set. Its requests and
 * answers are the history. Longer than most: it is one world with all its faults.
 */
final class QuorumWorld {

    /** Few, so that members come back with a snapshot and get one from the leader. */
    private static final int COMMITS_PER_SNAPSHOT = 20;

    private static final int STEPS = 120;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final List<String> REGISTERS = List.of("r1", "r2");

    static {
        LibraryLog.off();
    }

    private record Event(long at, long number, Runnable action) {}

    private final Random random;
    private final Function<MemoryFile, JournalFile> disks;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final List<String> addresses = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final boolean[][] cuts;
    private final WorldOperator operator;
    private final boolean isChanging;
    private final List<Register.Operation> history = new ArrayList<>();
    private long now = 1_000;
    private long numbers;
    private double loss;
    private int written;

    /** @param disks what a member sees of its file; a mutant's disk lies */
    QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks) {
        this(seed, disks, 3, 0);
    }

    private QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks, int founders, int spares) {
        this.random = new Random(seed);
        this.disks = disks;
        this.isChanging = spares > 0;
        this.cuts = new boolean[founders + spares][founders + spares];
        this.operator = new WorldOperator(this, new Random(seed));
        for (int i = 0; i < founders; i++) {
            addresses.add(address(i));
        }
        for (int i = 0; i < founders + spares; i++) {
            machines.add(new Machine(i));
        }
    }

    /** A world whose members change. */
    static QuorumWorld changing(long seed, int founders, int spares) {
        return new QuorumWorld(seed, file -> file, founders, spares);
    }

    private static String address(int number) {
        return "m" + number + ":7800";
    }

    List<Machine> machines() {
        return machines;
    }

    long now() {
        return now;
    }

    /** How many changes of members came to their end. */
    int changes() {
        return operator.finished();
    }

    /** Whether each process that lost its directory has its place back. */
    boolean isNoneLost() {
        return machines.stream().noneMatch(each -> each.isLost);
    }

    List<Register.Operation> history() {
        return history;
    }

    /** Runs through all faults and heals them. Returns what is wrong then; empty if nothing is. */
    Optional<String> play() {
        machines.forEach(Machine::start);
        for (int step = 0; step < STEPS; step++) {
            fault();
            if (isChanging) {
                operator.act();
            }
            run(random.nextInt(300));
        }
        operator.giveUp();
        machines.forEach(each -> each.client.isLast = true);
        loss = 0;
        heal();
        for (Machine each : machines) {
            each.frozenUntil = 0;
            if (each.file.isFull()) {
                each.losePower();
            }
            if (!each.isUp) {
                each.start();
                each.client.isLast = true;
            }
        }
        run(20_000);
        MemberList list = list();
        List<Machine> members =
                machines.stream().filter(each -> each.isIn(list.members())).toList();
        for (Machine each : members) {
            if (!each.process.complete().isDone()) {
                return Optional.of(each.address + " has not got all records after all faults are healed");
            }
            if (!each.knows(list)) {
                return Optional.of(each.address + " does not take part after all faults are healed");
            }
        }
        if (members.size() != list.members().size() || !isNoneLost()) {
            return Optional.of("a lost member was not replaced after all faults are healed: " + list);
        }
        if (list.voting().size() % 2 == 0) {
            return Optional.of("an even number votes: " + list);
        }
        // Few commits, so that no new snapshot helps a member that does not follow.
        Client last = members.get(random.nextInt(members.size())).client;
        last.ask(REGISTERS.get(0));
        run(10_000);
        if (last.open != null) {
            return Optional.of("a write gets no answer after all faults are healed");
        }
        List<String> unexplained = Register.unexplained(history);
        if (!unexplained.isEmpty()) {
            return Optional.of("not linearizable: " + unexplained);
        }
        for (String register : REGISTERS) {
            if (members.stream()
                            .map(each -> each.process.read(register, TIMEOUT))
                            .distinct()
                            .count()
                    > 1) {
                return Optional.of("members hold different records of " + register);
            }
        }
        return Optional.empty();
    }

    /** The disk of one member is full, and has space later. Returns what is wrong; empty if nothing is. */
    Optional<String> fillOneDisk() {
        machines.forEach(Machine::start);
        run(5_000);
        Machine full = machines.get(random.nextInt(machines.size()));
        int answeredBefore = answered();
        full.file.fillUp();
        run(5_000);
        if (!full.hasFailed()) {
            return Optional.of("the member with a full disk has not stopped");
        }
        String reason = full.refusal();
        if (!reason.contains("No space left on device") || !reason.contains("start the process again")) {
            return Optional.of("the member with a full disk reports: " + reason);
        }
        if (machines.stream().filter(each -> !each.hasFailed()).count() != machines.size() - 1) {
            return Optional.of("another member has stopped too");
        }
        if (answered() < answeredBefore + 20) {
            return Optional.of("the other members do not go on");
        }
        full.losePower();
        full.start();
        run(5_000);
        machines.forEach(each -> each.client.isLast = true);
        run(5_000);
        if (!full.votes() || !full.process.complete().isDone()) {
            return Optional.of("the member does not take part, although its disk has space again");
        }
        return Register.unexplained(history).isEmpty() ? Optional.empty() : Optional.of("not linearizable");
    }

    /** Two learners still answer the leader, but no voter does. Returns what is wrong; empty if nothing is. */
    Optional<String> cutLeaderFromVoters() {
        machines.forEach(Machine::start);
        run(5_000);
        for (int spare : List.of(3, 4)) {
            operator.carryOut(new MemberCommand(MemberCommand.Kind.ADD_LEARNER, address(spare), ""), 5_000);
            run(5_000);
        }
        Machine lonely = machines.stream()
                .filter(each -> each.process.running().join().isLeader())
                .findFirst()
                .orElseThrow();
        QuorumMember leader = lonely.process.running().join();
        if (leader.memberList().learners().size() != 2) {
            return Optional.of("there are not two learners: " + leader.memberList());
        }
        for (Machine each : machines) {
            if (each != lonely && each.isVoter()) {
                cuts[each.number][lonely.number] = true;
                cuts[lonely.number][each.number] = true;
            }
        }
        run(2_000);
        return leader.isLeader() ? Optional.of("the leader still leads") : Optional.empty();
    }

    /** Returns why the members reject reads after a while; empty texts if they do not. */
    List<String> refusals() {
        machines.forEach(Machine::start);
        run(5_000);
        return machines.stream().map(Machine::refusal).toList();
    }

    /** Only these members run. Returns whether they find a leader. */
    boolean findLeader(int... numbers) {
        for (int number : numbers) {
            machines.get(number).start();
        }
        run(20_000);
        return Arrays.stream(numbers)
                .mapToObj(number -> machines.get(number).process.running().join())
                .allMatch(member -> member.leader().isPresent());
    }

    /**
     * A follower stands still for a minute. Returns what is wrong; empty if the leader kept its term, and its client got
     * about as many answers as in a minute in which all members run.
     */
    Optional<String> stopOneFollower() {
        machines.forEach(Machine::start);
        run(5_000);
        Machine leader = machines.stream().filter(Machine::leads).findFirst().orElseThrow();
        Machine stopped =
                machines.stream().filter(each -> !each.leads()).findFirst().orElseThrow();
        int term = leader.term();
        int answeredBefore = answeredBy(leader);
        run(60_000);
        int answeredWithAll = answeredBy(leader) - answeredBefore;
        stopped.frozenUntil = now + 60_000;
        run(60_000);
        int answeredWithTwo = answeredBy(leader) - answeredBefore - answeredWithAll;
        if (!leader.leads() || leader.term() != term) {
            return Optional.of("the leader of term " + term + " lost it, while a follower stood still");
        }
        // In this world one frame of 50 is late. Without the third member each late one is waited for.
        if (answeredWithTwo < 0.8 * answeredWithAll) {
            return Optional.of("the leader answered " + answeredWithTwo + " times while a follower stood still, and "
                    + answeredWithAll + " times before");
        }
        run(5_000);
        return leader.term() == term
                ? Optional.empty()
                : Optional.of("the leader lost its term when the follower went on");
    }

    private int answeredBy(Machine machine) {
        return (int) history.stream()
                .filter(each -> each.hasAnswer() && each.client().equals(machine.client.name()))
                .count();
    }

    private int answered() {
        return (int) history.stream().filter(Register.Operation::hasAnswer).count();
    }

    /** The newest list of members that a process knows. */
    private MemberList list() {
        return machines.stream()
                .filter(each -> each.isUp && each.process.running().isDone())
                .map(each -> each.process.running().join().memberList())
                .max(Comparator.comparingLong(MemberList::logIndex))
                .orElse(new MemberList(0, Set.of(), Set.of()));
    }

    /** Whether the others can decide without one voter for ever: all agree, and no change of members is under way. */
    private boolean canLoseOne() {
        MemberList list = list();
        List<Machine> voters =
                machines.stream().filter(each -> each.isIn(list.voters())).toList();
        return isNoneLost()
                && list.voters().size() >= 3
                && list.learners().size() < MemberPlan.MAX_LEARNERS
                && voters.size() == list.voters().size()
                && voters.stream().allMatch(each -> each.knows(list) && each.lastChange() <= list.logIndex());
    }

    private void fault() {
        Machine machine = machines.get(random.nextInt(machines.size()));
        switch (random.nextInt(12)) {
            case 0 -> machine.losePower();
            case 1, 2 -> {
                if (!machine.isUp) {
                    machine.start();
                }
            }
            case 3 -> cuts[random.nextInt(machines.size())][random.nextInt(machines.size())] = true;
            case 4, 5 -> heal();
            case 6 -> machine.frozenUntil = now + random.nextInt(3_000);
            case 7 -> {
                Arrays.fill(cuts[machine.number], true);
                for (boolean[] from : cuts) {
                    from[machine.number] = true;
                }
            }
            case 8 -> machine.loseDirectory();
            case 9 -> {
                if (machine.isUp) {
                    machine.file.fillUp();
                }
            }
            case 10 -> loss = random.nextInt(4) == 0 ? 0.3 : 0.01;
            default -> {}
        }
    }

    /** From now on the other member does not receive the frames of the first one. */
    void cut(Machine from, Machine to) {
        cuts[from.number][to.number] = true;
    }

    private void heal() {
        for (boolean[] each : cuts) {
            Arrays.fill(each, false);
        }
    }

    void after(long millis, Runnable action) {
        events.add(new Event(now + Math.max(0, millis), numbers++, action));
    }

    void run(long millis) {
        long end = now + millis;
        while (!events.isEmpty() && events.peek().at <= end) {
            Event event = events.poll();
            now = Math.max(now, event.at);
            event.action.run();
        }
        now = end;
    }

    /** A machine with its disk. The process on it starts anew after each loss of power. */
    final class Machine {
        final int number;
        final String address;
        MemoryFile file = new MemoryFile();
        int directory;
        boolean isUp;

        /** Whether it lost its directory, and does not vote again yet. */
        boolean isLost;

        long frozenUntil;
        int incarnation;
        Wire.Receiver receiver;
        RaftJournal journal;
        QuorumProcess process;
        Client client;

        Machine(int number) {
            this.number = number;
            this.address = QuorumWorld.address(number);
        }

        void start() {
            isUp = true;
            incarnation++;
            int started = incarnation;
            receiver = null;
            QuorumEndpoint self = self();
            journal = new RaftJournal(disks.apply(file));
            process = new QuorumProcess(
                    self,
                    addresses,
                    journal,
                    new VirtualTime(this, started),
                    new VirtualWire(this),
                    Runnable::run,
                    new Random(random.nextLong()),
                    COMMITS_PER_SNAPSHOT);
            process.start();
            process.joined().thenRun(() -> {
                if (started == incarnation) {
                    isLost = false;
                }
            });
            client = new Client(this, started);
            after(0, () -> client.next());
        }

        void losePower() {
            if (isUp) {
                isUp = false;
                incarnation++;
                client.end();
                file = file.afterPowerLoss(random);
                machines.stream()
                        .filter(each -> each != this)
                        .forEach(each -> each.later(each.incarnation, 5, () -> each.lost(address)));
            }
        }

        /** The process comes back with an empty disk. The others must be able to decide without it until then. */
        void loseDirectory() {
            if (isVoter() && operator.isIdle() && canLoseOne()) {
                isLost = true;
                reset();
            }
        }

        /** The process starts with an empty disk. */
        void reset() {
            losePower();
            file = new MemoryFile();
            directory++;
            start();
        }

        /** Whether the process has found that it was removed. */
        boolean isRemoved() {
            return isUp && process.status().problem().orElse("").contains("was removed");
        }

        boolean isIn(List<QuorumEndpoint> members) {
            return isUp && members.contains(self());
        }

        boolean knows(MemberList list) {
            return isUp
                    && !hasFailed()
                    && process.running().isDone()
                    && process.running().join().memberList().equals(list);
        }

        boolean isVoter() {
            return isIn(list().voters());
        }

        /** The index of the last change of members in its log, confirmed or not. */
        long lastChange() {
            return journal.restored().stream()
                    .flatMap(each -> each.getLogEntries().stream())
                    .filter(each -> each.getOperation() instanceof UpdateRaftGroupMembersOp)
                    .mapToLong(LogEntry::getIndex)
                    .max()
                    .orElse(0);
        }

        private QuorumEndpoint self() {
            return new QuorumEndpoint("m" + number, address, "directory " + directory);
        }

        /** Whether the process runs, but cannot write to its disk any more. */
        boolean hasFailed() {
            return isUp && journal.failure().isDone();
        }

        /** Why a read fails; empty if it does not. */
        String refusal() {
            try {
                process.read(REGISTERS.get(0), TIMEOUT);
                return "";
            } catch (StoreUnavailableException e) {
                return String.valueOf(e.getMessage());
            }
        }

        boolean votes() {
            return knows(list()) && isVoter();
        }

        boolean leads() {
            return votes() && process.running().join().isLeader();
        }

        /** The term that it must not forget. */
        int term() {
            return journal.restored().orElseThrow().getTermPersistentState().getTerm();
        }

        void lost(String address) {
            if (receiver != null) {
                receiver.lost(address);
            }
        }

        /** Unless the process has ended by then. A process that stands still does it later. */
        void later(int ofIncarnation, long millis, Runnable action) {
            after(millis, () -> {
                if (ofIncarnation != incarnation) {
                    return;
                }
                if (frozenUntil > now) {
                    later(ofIncarnation, frozenUntil - now, action);
                } else {
                    action.run();
                }
            });
        }
    }

    /** Reads and writes one register after the other, as long as its process lives. */
    private final class Client {
        final Machine machine;
        final int incarnation;
        final Map<String, VersionedLease> known = new HashMap<>();
        boolean isLast;

        /** What was asked last and has no answer yet; null if all have. */
        Register.Operation open;

        Client(Machine machine, int incarnation) {
            this.machine = machine;
            this.incarnation = incarnation;
        }

        void next() {
            if (incarnation == machine.incarnation && !isLast) {
                ask(REGISTERS.get(random.nextInt(REGISTERS.size())));
            }
        }

        void ask(String register) {
            VersionedLease before = known.getOrDefault(register, VersionedLease.ABSENT);
            if (random.nextInt(3) == 0) {
                open = new Register.Operation(register, now, Register.NEVER, name(), "", "", "");
                finish(machine.process.catchUp(TIMEOUT).thenApply(done -> machine.process.read(register, TIMEOUT)));
            } else {
                String value = Integer.toString(++written);
                open = new Register.Operation(register, now, Register.NEVER, name(), value(before), value, "");
                finish(machine.process
                        .write(List.of(new LeaseWrite(before.version(), record(register, value))), TIMEOUT)
                        .thenApply(outcomes -> after(outcomes.get(0), record(register, value))));
            }
        }

        private void finish(CompletableFuture<VersionedLease> answer) {
            Register.Operation asked = open;
            answer.whenComplete((lease, failure) -> {
                if (incarnation != machine.incarnation) {
                    return;
                }
                history.add(failure == null ? asked.answered(now, value(lease)) : asked);
                if (failure == null) {
                    known.put(asked.register(), lease);
                }
                open = null;
                machine.later(incarnation, random.nextInt(100), this::next);
            });
        }

        /** The process has ended. What it asked last has no answer. */
        void end() {
            if (open != null) {
                history.add(open);
            }
        }

        private String name() {
            return machine.address + "." + incarnation;
        }

        private static VersionedLease after(CasOutcome outcome, LeaseRecord record) {
            if (outcome instanceof CasOutcome.Written done) {
                return VersionedLease.of(done.version(), record);
            }
            if (outcome instanceof CasOutcome.Conflict refused) {
                return refused.current();
            }
            throw new StoreUnavailableException(outcome.toString());
        }

        private static String value(VersionedLease lease) {
            return lease.record().map(LeaseRecord::holder).orElse(Register.NO_VALUE);
        }

        private static LeaseRecord record(String register, String value) {
            return LeaseRecords.record(register, value, 1, HandOverState.EMPTY);
        }
    }

    private final class VirtualTime implements RaftTime {
        private final Machine machine;
        private final int incarnation;

        VirtualTime(Machine machine, int incarnation) {
            this.machine = machine;
            this.incarnation = incarnation;
        }

        @Override
        public void execute(Runnable task) {
            machine.later(incarnation, 0, task);
        }

        @Override
        public void submit(Runnable task) {
            machine.later(incarnation, 0, task);
        }

        @Override
        public void schedule(Runnable task, long delay, TimeUnit unit) {
            machine.later(incarnation, unit.toMillis(delay) / FACTOR, task);
        }

        @Override
        public void after(Duration delay, Runnable task) {
            machine.later(incarnation, delay.toMillis(), task);
        }

        @Override
        public long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(now);
        }
    }

    private final class VirtualWire implements Wire {
        private final Machine from;

        VirtualWire(Machine from) {
            this.from = from;
        }

        @Override
        public void start(Receiver next) {
            from.receiver = next;
        }

        @Override
        public Peer peer(String address) {
            Machine to = machines.stream()
                    .filter(each -> each.address.equals(address))
                    .findFirst()
                    .orElseThrow();
            return frame -> carry(from, to, frame);
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {
            from.receiver = null;
        }

        private void carry(Machine sender, Machine to, byte[] frame) {
            if (cuts[sender.number][to.number] || random.nextDouble() < loss) {
                return;
            }
            long late = random.nextInt(50) == 0 ? random.nextInt(400) : 0;
            long millis = 1 + random.nextInt(5) + late;
            int sending = sender.incarnation;
            int receiving = to.incarnation;
            after(millis, () -> {
                if (!cuts[sender.number][to.number]) {
                    to.later(receiving, 0, () -> {
                        if (to.receiver != null) {
                            to.receiver.receive(answer -> answer(to, sender, sending, answer), frame);
                        }
                    });
                }
            });
        }

        /** Over the connection that the request came on. It has ended if the process has. */
        private void answer(Machine answering, Machine asking, int ofIncarnation, byte[] frame) {
            if (asking.incarnation == ofIncarnation) {
                carry(answering, asking, frame);
            }
        }
    }
}
