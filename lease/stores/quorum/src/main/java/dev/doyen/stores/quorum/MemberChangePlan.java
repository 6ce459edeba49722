package dev.doyen.stores.quorum;

import dev.doyen.stores.quorum.MemberStep.Kind;
import io.microraft.MembershipChangeMode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides the next step of a change of members. A step adds, promotes or removes one member, transfers the leadership
 * of the log, or waits. The step depends only on the confirmed member list and on the other components of this object.
 * So an operator can repeat a request, and another process can complete an interrupted change.
 *
 * <p>During the replacement of a dead voter, a majority never needs more live voters than before. If the number of
 * voters is odd, the dead voter is removed first, and a placeholder (see {@link MemberList}) is reserved for the new
 * voter. If the number is even, the new voter is promoted first and replaces the placeholder.
 *
 * @param members the confirmed members
 * @param leader the leader of the log, which decides the step
 * @param commitIndex the last confirmed entry
 * @param confirmed the index of the last entry that a member has confirmed, for each member except the leader
 * @param reachable the other members that have answered recently
 */
record MemberChangePlan(
        MemberList members,
        QuorumEndpoint leader,
        long commitIndex,
        Map<QuorumEndpoint, Long> confirmed,
        Set<QuorumEndpoint> reachable) {

    static final int MAX_VOTERS = 7;

    /** The maximum number of learners, a limit of MicroRaft. */
    static final int MAX_LEARNERS = 2;

    private static final int MIN_VOTERS = 2;

    /**
     * Returns the next step for a process that requests to join. If the list contains another member at the same
     * address, that member lost its directory, and the process replaces it.
     */
    MemberStep join(QuorumEndpoint joining) {
        Optional<QuorumEndpoint> lost = members.at(joining.address()).stream()
                .filter(each -> !each.equals(joining))
                .findFirst();
        if (lost.isPresent() && reachable.contains(lost.get())) {
            return without(lost.get()).join(joining);
        }
        if (members.isVoter(joining)) {
            return lost.map(each -> voterRemoval(each, Optional.empty()))
                    .orElseGet(() -> MemberStep.of(Kind.DONE, joining.address() + " is a voter"));
        }
        if (!members.contains(joining)) {
            return lost.isPresent()
                    ? learn(joining)
                    : MemberStep.of(
                            Kind.ABSENT,
                            "the quorum of " + addresses(members.members()) + " has no member " + joining.address());
        }
        if (lost.isPresent() && !members.isVoter(lost.get())) {
            return removal(lost.get(), Optional.empty());
        }
        if (lost.isEmpty() && !members.isReservedFor(joining)) {
            return MemberStep.of(Kind.LEARNER, joining.address() + " is a learner");
        }
        return inPlaceOf(lost, joining);
    }

    /**
     * Returns a copy of this plan that treats the member {@code lost} as unreachable. Another process now listens at
     * the address of this member.
     */
    private MemberChangePlan without(QuorumEndpoint lost) {
        Set<QuorumEndpoint> rest = new HashSet<>(reachable);
        rest.remove(lost);
        return new MemberChangePlan(members, leader, commitIndex, confirmed, rest);
    }

    /** Returns the next step to make a process a voter. */
    MemberStep add(QuorumEndpoint added) {
        if (members.isVoter(added)) {
            return done(added.address() + " is a voter");
        }
        if (members.voters().size() >= MAX_VOTERS) {
            return refused("the quorum has " + MAX_VOTERS + " voters, which is the limit; remove one, or add "
                    + added.address() + " as a learner");
        }
        return members.contains(added) ? promotion(added) : learn(added);
    }

    /** Returns the next step to make a process a learner. */
    MemberStep addLearner(QuorumEndpoint added) {
        if (members.isVoter(added)) {
            return refused(added.address() + " is a voter already; remove it first");
        }
        return members.contains(added) ? done(added.address() + " is a learner") : learn(added);
    }

    /** Returns the next step for the removal of all members at an address. */
    MemberStep remove(String address) {
        List<QuorumEndpoint> removed = members.at(address);
        if (removed.isEmpty()) {
            return done(address + " is not a member");
        }
        QuorumEndpoint first = removed.get(0);
        return members.isVoter(first) ? voterRemoval(first, Optional.empty()) : removal(first, Optional.empty());
    }

    /** Returns the next step for the replacement of one process by another. */
    MemberStep replace(String old, QuorumEndpoint added) {
        if (old.equals(added.address())) {
            return refused("both addresses are " + old + "; a process that starts at this address with a new"
                    + " directory replaces the member without a command");
        }
        List<QuorumEndpoint> replaced = members.at(old);
        if (replaced.isEmpty()) {
            if (members.isVoter(added)) {
                return done(added.address() + " is a voter, and " + old + " is not a member");
            }
            return members.isReservedFor(added) && members.contains(added)
                    ? promotion(added)
                    : refused(old + " is not a member; the members are " + addresses(members.members()));
        }
        if (!members.isVoter(replaced.get(0))) {
            return refused(old + " is a learner; remove it, and add " + added.address() + " as a learner");
        }
        if (members.isVoter(added)) {
            return voterRemoval(replaced.get(0), Optional.empty());
        }
        return members.contains(added) ? inPlaceOf(Optional.of(replaced.get(0)), added) : learn(added);
    }

    /**
     * Returns the next leader of the log. Among the reachable voters except the present leader, the next leader has the
     * greatest confirmed index.
     */
    Optional<QuorumEndpoint> successor() {
        return members.voters().stream()
                .filter(each -> !each.equals(leader) && isHere(each))
                .max(Comparator.comparing(each -> confirmed.getOrDefault(each, 0L)));
    }

    private MemberStep learn(QuorumEndpoint added) {
        if (members.learners().size() >= MAX_LEARNERS) {
            return refused("the quorum has " + MAX_LEARNERS + " learners, which is the limit: "
                    + addresses(members.learners()) + "; wait until they vote, or remove one");
        }
        return MemberStep.change(
                added.address() + " becomes a learner and receives all records",
                new MemberStep.Change(members, members.withLearner(added), added, MembershipChangeMode.ADD_LEARNER));
    }

    /**
     * Returns the next step for a learner that replaces a voter. If the voter was removed already, the learner is
     * promoted. If the voter must be removed first, a placeholder is reserved for the learner.
     */
    private MemberStep inPlaceOf(Optional<QuorumEndpoint> voter, QuorumEndpoint learner) {
        if (voter.isEmpty()) {
            return promotion(learner);
        }
        if (!hasAll(learner)) {
            return behind(learner);
        }
        boolean isFull = members.voters().size() >= MAX_VOTERS;
        boolean isOdd = members.voters().size() % 2 == 1;
        boolean goesFirst = isFull || (isOdd && !isHere(voter.get()));
        return goesFirst ? voterRemoval(voter.get(), Optional.of(learner)) : promotion(learner);
    }

    private MemberStep promotion(QuorumEndpoint learner) {
        if (!hasAll(learner)) {
            return behind(learner);
        }
        MemberList next = members.withVoter(learner);
        return majorityOf(next)
                .orElseGet(() -> MemberStep.change(
                        learner.address() + " has all records and becomes a voter",
                        new MemberStep.Change(
                                members, next, learner, MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER)));
    }

    private MemberStep voterRemoval(QuorumEndpoint voter, Optional<QuorumEndpoint> successor) {
        MemberList next = members.without(voter, successor);
        if (next.voters().size() < MIN_VOTERS && successor.isEmpty()) {
            return refused("the quorum has " + members.voters().size() + " voters; with fewer than " + MIN_VOTERS
                    + " each record would be on one disk only. Add a member before you remove " + voter.address());
        }
        Optional<MemberStep> refusal = majorityOf(next);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (voter.equals(leader)) {
            return successor().map(MemberStep::transfer).orElseGet(() -> refused("no other voter can lead"));
        }
        return removal(voter, successor);
    }

    private MemberStep removal(QuorumEndpoint member, Optional<QuorumEndpoint> successor) {
        return MemberStep.change(
                member.address() + " is removed",
                new MemberStep.Change(
                        members, members.without(member, successor), member, MembershipChangeMode.REMOVE_MEMBER));
    }

    /** Returns a refusal if no majority of the voters in {@code next} is reachable. */
    private Optional<MemberStep> majorityOf(MemberList next) {
        List<QuorumEndpoint> away =
                next.voters().stream().filter(each -> !isHere(each)).toList();
        int here = next.voters().size() - away.size();
        return here >= next.majority()
                ? Optional.empty()
                : Optional.of(refused("the quorum would lose its majority: of "
                        + next.voters().size() + " voters "
                        + next.majority() + " must run, but only " + here + " are. Start " + addresses(away)
                        + ", or replace them"));
    }

    private MemberStep behind(QuorumEndpoint learner) {
        return MemberStep.of(
                Kind.WAIT,
                learner.address() + " gets the records: entry " + confirmed.getOrDefault(learner, 0L) + " of "
                        + commitIndex);
    }

    private boolean hasAll(QuorumEndpoint learner) {
        return confirmed.getOrDefault(learner, 0L) >= commitIndex;
    }

    private boolean isHere(QuorumEndpoint member) {
        return member.equals(leader) || reachable.contains(member);
    }

    private MemberStep done(String text) {
        int voters = members.voters().size();
        return MemberStep.of(
                Kind.DONE,
                voters % 2 == 1
                        ? text
                        : text + ". The quorum has " + voters + " voters, which tolerates the loss of "
                                + (voters - members.majority()) + ", no more than " + (voters - 1)
                                + " voters do; an odd number is better");
    }

    private static MemberStep refused(String why) {
        return MemberStep.of(Kind.REFUSED, why);
    }

    private static String addresses(List<QuorumEndpoint> members) {
        return String.join(
                ", ", members.stream().map(QuorumEndpoint::address).sorted().toList());
    }
}
