package dev.doyen.stores.quorum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Members and their clients in one thread and in virtual time, from one seed. Members lose power and what was not
 * durable, stand still, and are cut off in one direction or in both; frames are lost and late. {@link SingleFaults} has
 * worlds with one fault only.
 *
 * <p>In a changing world more processes wait to become members, and a {@link WorldOperator} adds, removes and replaces some.
 * In a world with clients some processes are clients of the members.
 *
 * <p>Each process reads registers and writes them by compare-and-set. Its requests and answers are the history.
 */
final class QuorumWorld {

    private static final int STEPS = 120;

    static {
        LibraryLog.off();
    }

    private final Random random;
    private final Function<MemoryFile, JournalFile> disks;
    private final WorldEvents events = new WorldEvents();
    private final List<String> addresses = new ArrayList<>();
    private final List<WorldMember> members = new ArrayList<>();
    private final List<WorldClient> clients = new ArrayList<>();
    private final WorldNetwork network;
    private final WorldOperator operator;
    private final boolean isChanging;
    private final List<Register.Operation> history = new ArrayList<>();
    private int written;

    /** @param disks what a member sees of its file; a mutant's disk lies */
    QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks) {
        this(seed, disks, 3, 0, 0);
    }

    private QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks, int founders, int spares, int clientCount) {
        this.random = new Random(seed);
        this.disks = disks;
        this.isChanging = spares > 0;
        this.network = new WorldNetwork(this, random, founders + spares + clientCount);
        this.operator = new WorldOperator(this, new Random(seed));
        for (int i = 0; i < founders; i++) {
            addresses.add(WorldMember.address(i));
        }
        for (int i = 0; i < founders + spares; i++) {
            members.add(new WorldMember(this, i));
        }
        for (int i = 0; i < clientCount; i++) {
            clients.add(new WorldClient(this, members.size() + i, addresses));
        }
    }

    /** A world whose members change. */
    static QuorumWorld changing(long seed, int founders, int spares) {
        return new QuorumWorld(seed, file -> file, founders, spares, 0);
    }

    /** A world of three members with processes that are clients. */
    static QuorumWorld withClients(long seed, int clients) {
        return new QuorumWorld(seed, file -> file, 3, 0, clients);
    }

    List<WorldMember> members() {
        return members;
    }

    /** All hosts, the members first. */
    List<WorldHost> hosts() {
        return Stream.<WorldHost>concat(members.stream(), clients.stream()).toList();
    }

    WorldHost host(String address) {
        return hosts().stream()
                .filter(each -> each.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    WorldNetwork network() {
        return network;
    }

    WorldOperator operator() {
        return operator;
    }

    Random random() {
        return random;
    }

    /** The founders. */
    List<String> addresses() {
        return addresses;
    }

    JournalFile disk(MemoryFile file) {
        return disks.apply(file);
    }

    long now() {
        return events.now();
    }

    void after(long millis, Runnable action) {
        events.after(millis, action);
    }

    void run(long millis) {
        events.run(millis);
    }

    void startAll() {
        hosts().forEach(WorldHost::start);
    }

    /** A value that was never written. */
    String nextValue() {
        return Integer.toString(++written);
    }

    /** How many changes of members came to their end. */
    int changes() {
        return operator.finished();
    }

    /** Whether each process that lost its directory has its place back. */
    boolean isNoneLost() {
        return members.stream().noneMatch(WorldMember::isLost);
    }

    List<Register.Operation> history() {
        return history;
    }

    /** How many operations of the clients have an answer. */
    long answeredToClients() {
        return history.stream()
                .filter(each -> each.hasAnswer() && each.client().startsWith("client"))
                .count();
    }

    /** Runs through all faults and heals them. Returns what is wrong then; empty if nothing is. */
    Optional<String> play() {
        startAll();
        for (int step = 0; step < STEPS; step++) {
            fault();
            if (isChanging) {
                operator.act();
            }
            run(random.nextInt(300));
        }
        operator.giveUp();
        hosts().forEach(each -> each.user().stop());
        healAll();
        run(20_000);
        return incomplete().or(this::unanswered).or(this::contradiction);
    }

    private void healAll() {
        network.lose(0);
        network.heal();
        for (WorldHost each : hosts()) {
            each.thaw();
            if (each instanceof WorldMember member && member.file().isFull()) {
                each.losePower();
            }
            if (!each.isUp()) {
                each.start();
                each.user().stop();
            }
        }
    }

    /** Whether a member does not take part, after all faults are healed. */
    private Optional<String> incomplete() {
        MemberList list = list();
        List<WorldMember> present = present(list);
        for (WorldMember each : present) {
            if (!each.process().complete().isDone()) {
                return Optional.of(each.address() + " has not got all records after all faults are healed");
            }
            if (!each.knows(list)) {
                return Optional.of(each.address() + " does not take part after all faults are healed");
            }
        }
        if (present.size() != list.members().size() || !isNoneLost()) {
            return Optional.of("a lost member was not replaced after all faults are healed: " + list);
        }
        return list.voting().size() % 2 == 0 ? Optional.of("an even number votes: " + list) : Optional.empty();
    }

    private List<WorldMember> present(MemberList list) {
        return members.stream().filter(each -> each.isIn(list.members())).toList();
    }

    /** Whether a request gets no answer. Few commits, so that no new snapshot helps a member that does not follow. */
    private Optional<String> unanswered() {
        List<WorldMember> present = present(list());
        RegisterUser last = present.get(random.nextInt(present.size())).user();
        last.ask(RegisterUser.REGISTERS.get(0));
        clients.forEach(each -> each.user().ask(RegisterUser.REGISTERS.get(0)));
        run(10_000);
        if (last.waits()) {
            return Optional.of("a write gets no answer after all faults are healed");
        }
        for (WorldClient each : clients) {
            if (each.user().waits()) {
                return Optional.of(each.address() + " gets no answer after all faults are healed");
            }
        }
        return Optional.empty();
    }

    private Optional<String> contradiction() {
        List<String> unexplained = Register.unexplained(history);
        if (!unexplained.isEmpty()) {
            return Optional.of("not linearizable: " + unexplained);
        }
        for (String register : RegisterUser.REGISTERS) {
            if (present(list()).stream()
                            .map(each -> each.process().read(register, RegisterUser.TIMEOUT))
                            .distinct()
                            .count()
                    > 1) {
                return Optional.of("members hold different records of " + register);
            }
        }
        return Optional.empty();
    }

    /** The newest list of members that a process knows. */
    MemberList list() {
        return members.stream()
                .filter(WorldMember::isRunning)
                .map(each -> each.member().members().list())
                .max(Comparator.comparingLong(MemberList::logIndex))
                .orElse(new MemberList(0, Set.of(), Set.of()));
    }

    /** Whether the others can decide without one voter for ever: all agree, and no change of members is under way. */
    boolean canLoseOne() {
        MemberList list = list();
        List<WorldMember> voters =
                members.stream().filter(each -> each.isIn(list.voters())).toList();
        return isNoneLost()
                && list.voters().size() >= 3
                && list.learners().size() < MemberPlan.MAX_LEARNERS
                && voters.size() == list.voters().size()
                && voters.stream().allMatch(each -> each.knows(list) && each.lastChange() <= list.logIndex());
    }

    private void fault() {
        List<WorldHost> hosts = hosts();
        WorldHost host = hosts.get(random.nextInt(hosts.size()));
        switch (random.nextInt(12)) {
            case 0 -> host.losePower();
            case 1, 2 -> {
                if (!host.isUp()) {
                    host.start();
                }
            }
            case 3 -> network.cut(random.nextInt(hosts.size()), random.nextInt(hosts.size()));
            case 4, 5 -> network.heal();
            case 6 -> host.freeze(random.nextInt(3_000));
            case 7 -> network.isolate(host.number());
            case 8 -> {
                if (host instanceof WorldMember member) {
                    member.loseDirectory();
                }
            }
            case 9 -> {
                if (host instanceof WorldMember member && member.isUp()) {
                    member.file().fillUp();
                }
            }
            case 10 -> network.lose(random.nextInt(4) == 0 ? 0.3 : 0.01);
            default -> {}
        }
    }
}
