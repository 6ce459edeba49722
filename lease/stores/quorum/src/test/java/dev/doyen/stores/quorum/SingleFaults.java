package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs simulations with a single fault. Each method runs one {@link QuorumWorld}. */
final class SingleFaults {

    private final QuorumWorld world;

    SingleFaults(QuorumWorld world) {
        this.world = world;
    }

    /**
     * Fills the disk of one member, and frees space later. Returns a description of the problem; empty if the members
     * behave correctly.
     */
    Optional<String> fillOneDisk() {
        List<WorldMember> members = world.members();
        world.startAll();
        world.run(5_000);
        WorldMember full = members.get(world.random().nextInt(members.size()));
        long answeredBefore = answered();
        full.file().fillUp();
        world.run(5_000);
        if (!full.hasFailed()) {
            return Optional.of("the member with a full disk has not stopped");
        }
        String reason = full.refusal();
        if (!reason.contains("No space left on device") || !reason.contains("start the process again")) {
            return Optional.of("the member with a full disk reports: " + reason);
        }
        if (members.stream().filter(each -> !each.hasFailed()).count() != members.size() - 1) {
            return Optional.of("another member has stopped too");
        }
        if (answered() < answeredBefore + 20) {
            return Optional.of("the other members do not continue");
        }
        full.losePower();
        full.start();
        world.run(5_000);
        members.forEach(each -> each.user().stop());
        world.run(5_000);
        if (!full.votes() || !full.process().complete().isDone()) {
            return Optional.of("the member does not take part, although its disk has space again");
        }
        return Register.unexplained(world.history()).isEmpty() ? Optional.empty() : Optional.of("not linearizable");
    }

    /**
     * Partitions the leader from all voters, while two learners still answer it. Returns a description of the problem;
     * empty if the members behave correctly.
     */
    Optional<String> cutLeaderFromVoters() {
        world.startAll();
        world.run(5_000);
        for (int spare : List.of(3, 4)) {
            world.operator()
                    .carryOut(new MemberCommand(MemberCommand.Kind.ADD_LEARNER, WorldMember.address(spare), ""), 5_000);
            world.run(5_000);
        }
        WorldMember lonely = leader();
        MemberList list = lonely.member().members().list();
        if (list.learners().size() != 2) {
            return Optional.of("the list does not have two learners: " + list);
        }
        cutFromVoters(lonely);
        world.run(2_000);
        return lonely.member().leader().isSelf() ? Optional.of("the leader still leads") : Optional.empty();
    }

    /**
     * Runs all members for 5 s of virtual time. Then returns for each member the reason why this member rejects a read;
     * an empty text if the member accepts the read.
     */
    List<String> refusals() {
        world.startAll();
        world.run(5_000);
        return world.members().stream().map(WorldMember::refusal).toList();
    }

    /** Starts only these members, and returns true if they elect a leader. */
    boolean findLeader(int... numbers) {
        for (int number : numbers) {
            world.members().get(number).start();
        }
        world.run(20_000);
        return Arrays.stream(numbers)
                .mapToObj(number -> world.members().get(number).member())
                .allMatch(member -> member.leader().current().isPresent());
    }

    /**
     * Freezes a follower for a minute. Returns a description of the problem; empty if the leader stayed in its term and
     * answered about as often as without the fault.
     */
    Optional<String> stopOneFollower() {
        world.startAll();
        world.run(5_000);
        WorldMember leader = leader();
        WorldMember stopped = world.members().stream()
                .filter(each -> !each.leads())
                .findFirst()
                .orElseThrow();
        int term = leader.term();
        long answeredBefore = answeredBy(leader);
        world.run(60_000);
        long answeredWithAll = answeredBy(leader) - answeredBefore;
        stopped.freeze(60_000);
        world.run(60_000);
        long answeredWithTwo = answeredBy(leader) - answeredBefore - answeredWithAll;
        if (!leader.leads() || leader.term() != term) {
            return Optional.of("the leader of term " + term + " lost its term while a follower was frozen");
        }
        // One frame in 50 is late in this simulation. Without the third member, a commit must wait for each late frame.
        // So the test allows up to 20 % fewer answers.
        if (answeredWithTwo < 0.8 * answeredWithAll) {
            return Optional.of("the leader answered " + answeredWithTwo + " times while a follower was frozen, and "
                    + answeredWithAll + " times before");
        }
        world.run(5_000);
        return leader.term() == term
                ? Optional.empty()
                : Optional.of("the leader lost its term when the follower continued");
    }

    /**
     * Adds a process twice with the same directory. A partition interrupts the first addition: the process receives its
     * first entries from a leader that cannot confirm the addition. Returns a description of the problem; empty if the
     * members behave correctly.
     *
     * @param isRestarted true if the process restarts between the two additions
     */
    Optional<String> addAgain(boolean isRestarted) {
        world.startAll();
        world.run(5_000);
        WorldMember added = world.members().get(3);
        WorldMember lonely = leader();
        cutFromVoters(lonely);
        var command = new MemberCommand(MemberCommand.Kind.ADD, added.address(), "");
        world.operator().carryOut(command, 400);
        world.run(450);
        if (!added.hasEntries() || world.list().contains(added.self())) {
            return Optional.of("the addition was not interrupted");
        }
        lonely.losePower();
        world.network().heal();
        if (isRestarted) {
            added.losePower();
            added.start();
        }
        world.run(10_000);
        lonely.start();
        world.run(5_000);
        String waits = added.process().status().problem().orElse("");
        if (!waits.contains("Add this process with: doyen quorum add " + added.address())) {
            return Optional.of("the process that was not added reports: " + waits);
        }
        world.operator().carryOut(command, 10_000);
        world.run(20_000);
        if (!added.isVoter() || !added.process().complete().isDone()) {
            return Optional.of("the process does not vote: " + world.list());
        }
        world.members().forEach(each -> each.user().stop());
        world.run(5_000);
        return Register.unexplained(world.history()).isEmpty() ? Optional.empty() : Optional.of("not linearizable");
    }

    /**
     * Stops the founders for ten seconds while a process waits to be added, and again after the process was added.
     * Returns the first wrong status that the process reports; empty if every status is correct.
     */
    Optional<String> silenceJoiningProcess() {
        world.startAll();
        world.run(5_000);
        WorldMember joining = world.members().get(3);
        List<WorldMember> founders = world.members().subList(0, 3);
        String added = "Add this process with: doyen quorum add " + joining.address();
        if (!problem(joining).contains(added)) {
            return Optional.of("before the silence it reports: " + problem(joining));
        }
        founders.forEach(WorldHost::losePower);
        world.run(5_000);
        String problem = problem(joining);
        if (!problem.contains("no leader of the quorum has answered it for more than 2 s; a majority")) {
            return Optional.of("after five seconds of silence it reports: " + problem);
        }
        world.run(5_000);
        if (!problem(joining).equals(problem)) {
            return Optional.of("during the silence it first reports: " + problem + ", and then: " + problem(joining));
        }
        founders.forEach(WorldHost::start);
        world.run(10_000);
        if (!problem(joining).contains(added)) {
            return Optional.of("after the silence it reports: " + problem(joining));
        }
        carryOut(new MemberCommand(MemberCommand.Kind.ADD, joining.address(), ""));
        founders.forEach(WorldHost::losePower);
        world.run(10_000);
        return joining.process().status().problem().map(each -> "as a member it reports: " + each);
    }

    private static String problem(WorldMember process) {
        return process.process().status().problem().orElse("");
    }

    /**
     * Deletes the directory of a founder. At this time the leader is a member that was added later. The founder has
     * only the addresses of the founders. Returns a description of the problem; empty if the founder votes again.
     */
    Optional<String> loseDirectoryUnderAddedLeader() {
        world.startAll();
        world.run(5_000);
        WorldMember founder = world.members().get(0);
        WorldMember added = world.members().get(3);
        carryOut(new MemberCommand(MemberCommand.Kind.ADD, added.address(), ""));
        letLead(added);
        founder.loseDirectory();
        if (!founder.isLost()) {
            return Optional.of("the founder has not lost its directory");
        }
        world.run(20_000);
        if (!added.leads()) {
            return Optional.of("the added member no longer leads");
        }
        return world.isNoneLost() ? Optional.empty() : Optional.of("the founder does not vote: " + world.list());
    }

    /**
     * Replaces a founder while the founder is down, and starts the founder again while the new member leads. The
     * founder has only the addresses of the founders. Returns a description of the problem; empty if the founder finds
     * out that it was removed.
     */
    Optional<String> startReplacedFounderUnderAddedLeader() {
        world.startAll();
        world.run(5_000);
        WorldMember founder = world.members().get(0);
        WorldMember added = world.members().get(3);
        founder.losePower();
        world.run(5_000);
        carryOut(new MemberCommand(MemberCommand.Kind.REPLACE, added.address(), founder.address()));
        letLead(added);
        founder.start();
        world.run(20_000);
        if (!added.leads()) {
            return Optional.of("the added member no longer leads");
        }
        return founder.isRemoved() ? Optional.empty() : Optional.of("the founder does not detect its removal");
    }

    /**
     * Replaces a founder while the founder is down. Then starts the founder with a snapshot whose member list does
     * not contain the founder. At first the founder is partitioned from all other members. Returns a description of
     * the problem; empty if the founder elects no leader and then finds out that it was removed.
     */
    Optional<String> startRemovedFounderWithSnapshot() throws IOException {
        world.startAll();
        world.run(5_000);
        WorldMember founder = world.members().get(0);
        WorldMember added = world.members().get(3);
        founder.losePower();
        world.run(5_000);
        carryOut(new MemberCommand(MemberCommand.Kind.REPLACE, added.address(), founder.address()));
        world.run(20_000);
        String group = added.member().group();
        if (!founder.copySnapshot(added)) {
            return Optional.of("there is no snapshot without the founder");
        }
        int termBefore = founder.term();
        world.network().isolate(founder.number());
        founder.start();
        world.run(30_000);
        if (!founder.isRunning() || !founder.member().group().equals(group)) {
            return Optional.of("the founder does not run in its quorum");
        }
        if (founder.member().leader().current().isPresent() || founder.term() != termBefore) {
            return Optional.of("the founder has held an election: its term is " + founder.term());
        }
        if (founder.member().members().list().contains(founder.self())) {
            return Optional.of("the founder considers itself a member: "
                    + founder.member().members().list());
        }
        int term = leader().term();
        world.network().heal();
        world.run(20_000);
        if (leader().term() != term) {
            return Optional.of("the leader lost its term because of the founder");
        }
        return founder.isRemoved() ? Optional.empty() : Optional.of("the founder does not detect its removal");
    }

    private void carryOut(MemberCommand command) {
        world.operator().carryOut(command, 10_000);
        world.run(11_000);
    }

    /** Makes this member, which must be a voter, the leader. */
    private void letLead(WorldMember successor) {
        var unused = leader().member().members().transferTo(successor.self());
        world.run(2_000);
    }

    private WorldMember leader() {
        return world.members().stream().filter(WorldMember::leads).findFirst().orElseThrow();
    }

    private void cutFromVoters(WorldMember lonely) {
        for (WorldMember each : world.members()) {
            if (each != lonely && each.isVoter()) {
                world.network().cut(each.number(), lonely.number());
                world.network().cut(lonely.number(), each.number());
            }
        }
    }

    private long answeredBy(WorldMember member) {
        return world.history().stream()
                .filter(each ->
                        each.hasAnswer() && each.client().equals(member.user().name()))
                .count();
    }

    private long answered() {
        return world.history().stream().filter(Register.Operation::hasAnswer).count();
    }
}
