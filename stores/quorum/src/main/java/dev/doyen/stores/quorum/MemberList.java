package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.report.RaftGroupMembers;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The members of a quorum, as a confirmed entry of the log left them.
 *
 * <p>The number of seats that vote is always odd: beside an even number of voters the list has an empty seat, a member that
 * does not exist. So the majority is the same with and without it: 3 of 4 voters, and 3 of 4 voters and an empty seat. Without
 * the empty seat MicroRaft would confirm an entry with 2 of 4 voters, which is not safe when the next change of members
 * begins.
 *
 * <p>An empty seat can be reserved. The learner that it is reserved for becomes a voter when it has all entries.
 *
 * @param logIndex of the entry; 0 for the founders
 * @param all members, voting or not, with the empty seat
 * @param seats the members that vote, with the empty seat
 */
record MemberList(long logIndex, Set<QuorumEndpoint> all, Set<QuorumEndpoint> seats) {

    MemberList {
        all = new LinkedHashSet<>(all);
        seats = new LinkedHashSet<>(seats);
    }

    static MemberList of(RaftGroupMembers members) {
        return new MemberList(
                members.getLogIndex(), endpoints(members.getMembers()), endpoints(members.getVotingMembers()));
    }

    /** The members that exist and vote. */
    List<QuorumEndpoint> voters() {
        return seats.stream().filter(each -> !each.isEmptySeat()).toList();
    }

    List<QuorumEndpoint> learners() {
        return all.stream().filter(each -> !seats.contains(each)).toList();
    }

    /** The members that exist. */
    List<QuorumEndpoint> members() {
        return all.stream().filter(each -> !each.isEmptySeat()).toList();
    }

    /** How many voters confirm an entry. */
    int majority() {
        return voters().size() / 2 + 1;
    }

    boolean isVoter(QuorumEndpoint member) {
        return seats.contains(member);
    }

    boolean contains(QuorumEndpoint member) {
        return all.contains(member);
    }

    /** The members at this address. There are two while one takes the place of another that lost its directory. */
    List<QuorumEndpoint> at(String address) {
        return members().stream().filter(each -> each.address().equals(address)).toList();
    }

    boolean isReservedFor(QuorumEndpoint learner) {
        return seats.contains(QuorumEndpoint.emptySeat(learner.directory()));
    }

    MemberList withLearner(QuorumEndpoint added) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(all);
        next.add(added);
        return new MemberList(logIndex, next, seats);
    }

    MemberList withVoter(QuorumEndpoint promoted) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters());
        next.add(promoted);
        return seated(next, Optional.empty());
    }

    /** @param successor the seat is reserved for this learner, if the seat stays */
    MemberList without(QuorumEndpoint removed, Optional<QuorumEndpoint> successor) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters());
        boolean isVoter = next.remove(removed);
        MemberList rest = isVoter ? seated(next, successor) : this;
        Set<QuorumEndpoint> members = new LinkedHashSet<>(rest.all);
        members.remove(removed);
        return new MemberList(logIndex, members, rest.seats);
    }

    private MemberList seated(Set<QuorumEndpoint> voters, Optional<QuorumEndpoint> successor) {
        Set<QuorumEndpoint> members = new LinkedHashSet<>(members());
        members.addAll(voters);
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters);
        if (voters.size() % 2 == 0) {
            next.add(QuorumEndpoint.emptySeat(
                    successor.map(QuorumEndpoint::directory).orElse("")));
        }
        members.addAll(next);
        return new MemberList(logIndex, members, next);
    }

    private static Set<QuorumEndpoint> endpoints(Collection<RaftEndpoint> members) {
        return members.stream()
                .map(QuorumEndpoint.class::cast)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
