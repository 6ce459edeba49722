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
 * Simulates members and their clients in one thread and in virtual time, from one seed.
 *
 * <p>A member can lose power, and then loses a random part of the data that was not durable. A member can also freeze,
 * or be partitioned in one or both directions. Frames are lost or late. {@link SingleFaults} runs simulations with only
 * one fault.
 *
 * <p>In a simulation with changes, more processes wait to become members, and a {@link WorldOperator} adds, removes and
 * replaces members. In a simulation with clients, some processes are clients of the members.
 *
 * <p>Each process reads registers, which are lease records, and writes them by compare-and-set. The requests and
 * answers of all processes are the history, which {@link Register} checks.
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
    private final boolean hasCloseSnapshots;
    private final List<Register.Operation> history = new ArrayList<>();
    private int written;

    /**
     * Creates a simulation of a fixed quorum of three members.
     *
     * @param disks a function that wraps the file of each member; a test can supply a faulty disk
     */
    QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks) {
        this(seed, disks, 3, 0, 0);
    }

    private QuorumWorld(long seed, Function<MemoryFile, JournalFile> disks, int founders, int spares, int clientCount) {
        this.random = new Random(seed);
        this.disks = disks;
        this.isChanging = spares > 0;
        this.hasCloseSnapshots = seed % 5 == 3;
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

    /** Creates a simulation in which members are added, removed and replaced. */
    static QuorumWorld changing(long seed, int founders, int spares) {
        return new QuorumWorld(seed, file -> file, founders, spares, 0);
    }

    /** Creates a simulation of three members with clients. */
    static QuorumWorld withClients(long seed, int clients) {
        return new QuorumWorld(seed, file -> file, 3, 0, clients);
    }

    List<WorldMember> members() {
        return members;
    }

    /** Returns true if the members of this world take a snapshot after every few entries. */
    boolean hasCloseSnapshots() {
        return hasCloseSnapshots;
    }

    /** Returns all hosts. The members come first. */
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

    /** Returns the addresses of the founders. */
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

    /** Returns a value that was never written before. */
    String nextValue() {
        return Integer.toString(++written);
    }

    /** Returns the number of completed changes of members. */
    int changes() {
        return operator.finished();
    }

    /** Returns true if each process that lost its directory is a voter again. */
    boolean isNoneLost() {
        return members.stream().noneMatch(WorldMember::isLost);
    }

    List<Register.Operation> history() {
        return history;
    }

    /** Returns the number of answered operations of the clients. */
    long answeredToClients() {
        return history.stream()
                .filter(each -> each.hasAnswer() && each.client().startsWith("client"))
                .count();
    }

    /**
     * Runs all faults, heals them, and then returns a description of the first problem; empty if there is no problem.
     */
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

    /** Returns the first problem of the members after all faults are healed; empty if all members take part. */
    private Optional<String> incomplete() {
        MemberList list = list();
        List<WorldMember> present = present(list);
        for (WorldMember each : present) {
            if (!each.process().complete().isDone()) {
                return Optional.of(each.address() + " does not have all records after all faults are healed");
            }
            if (!each.hasMemberList(list)) {
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

    /**
     * Returns which request gets no answer; empty if all requests are answered. This method makes only a few commits.
     * After more commits, the leader would send a new snapshot to a member that receives no entries. The snapshot
     * would hide that the member receives no entries.
     */
    private Optional<String> unanswered() {
        List<WorldMember> present = present(list());
        RegisterUser last = present.get(random.nextInt(present.size())).user();
        last.sendRequest(RegisterUser.REGISTERS.get(0));
        clients.forEach(each -> each.user().sendRequest(RegisterUser.REGISTERS.get(0)));
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
                return Optional.of("members have different records of " + register);
            }
        }
        return Optional.empty();
    }

    /** Returns the newest member list that a process has. */
    MemberList list() {
        return members.stream()
                .filter(WorldMember::isRunning)
                .map(each -> each.member().members().list())
                .max(Comparator.comparingLong(MemberList::logIndex))
                .orElse(new MemberList(0, Set.of(), Set.of()));
    }

    /**
     * Returns true if one voter can lose its directory. The list must have at least three voters and room for another
     * learner. All voters must run with this list, and no change of members may be in progress. No other member may
     * have lost its directory.
     */
    boolean canLoseOne() {
        MemberList list = list();
        List<WorldMember> voters =
                members.stream().filter(each -> each.isIn(list.voters())).toList();
        return isNoneLost()
                && list.voters().size() >= 3
                && list.learners().size() < MemberChangePlan.MAX_LEARNERS
                && voters.size() == list.voters().size()
                && voters.stream().allMatch(each -> each.hasMemberList(list) && each.lastChange() <= list.logIndex());
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
