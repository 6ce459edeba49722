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
 * The members of a quorum after a confirmed entry of the log.
 *
 * <p>If the number of voters is even, the list also contains a placeholder: a voter that does not exist and never
 * answers. So MicroRaft always sees an odd number. The placeholder does not change the majority: it is 3 of 4 voters,
 * and also 3 of 4 voters and a placeholder. Without the placeholder, MicroRaft would confirm an entry with 2 of 4
 * voters. That is not safe when the next change of members begins.
 *
 * <p>A placeholder can be reserved for a learner. The learner replaces it as soon as it has all entries.
 *
 * @param logIndex the index of the entry; 0 for the founders
 * @param all the members, voting or not, with the placeholder
 * @param voting the members that vote, with the placeholder
 */
record MemberList(long logIndex, Set<QuorumEndpoint> all, Set<QuorumEndpoint> voting) {

    MemberList {
        all = new LinkedHashSet<>(all);
        voting = new LinkedHashSet<>(voting);
    }

    static MemberList of(RaftGroupMembers members) {
        return new MemberList(
                members.getLogIndex(), endpoints(members.getMembers()), endpoints(members.getVotingMembers()));
    }

    /** Returns the voters without the placeholder. */
    List<QuorumEndpoint> voters() {
        return voting.stream().filter(each -> !each.isPlaceholder()).toList();
    }

    List<QuorumEndpoint> learners() {
        return all.stream().filter(each -> !voting.contains(each)).toList();
    }

    /** Returns the members without the placeholder. */
    List<QuorumEndpoint> members() {
        return all.stream().filter(each -> !each.isPlaceholder()).toList();
    }

    /** Returns how many voters must confirm an entry. */
    int majority() {
        return voters().size() / 2 + 1;
    }

    boolean isVoter(QuorumEndpoint member) {
        return voting.contains(member);
    }

    boolean contains(QuorumEndpoint member) {
        return all.contains(member);
    }

    /** Returns the members at this address. There are two while a process replaces a member that lost its directory. */
    List<QuorumEndpoint> at(String address) {
        return members().stream().filter(each -> each.address().equals(address)).toList();
    }

    boolean isReservedFor(QuorumEndpoint learner) {
        return voting.contains(QuorumEndpoint.placeholder(learner.directory()));
    }

    MemberList withLearner(QuorumEndpoint added) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(all);
        next.add(added);
        return new MemberList(logIndex, next, voting);
    }

    MemberList withVoter(QuorumEndpoint promoted) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters());
        next.add(promoted);
        return withPlaceholder(next, Optional.empty());
    }

    /**
     * Returns the list without a member.
     *
     * @param successor the learner for which a new placeholder is reserved, if the removal needs one
     */
    MemberList without(QuorumEndpoint removed, Optional<QuorumEndpoint> successor) {
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters());
        boolean isVoter = next.remove(removed);
        MemberList rest = isVoter ? withPlaceholder(next, successor) : this;
        Set<QuorumEndpoint> members = new LinkedHashSet<>(rest.all);
        members.remove(removed);
        return new MemberList(logIndex, members, rest.voting);
    }

    private MemberList withPlaceholder(Set<QuorumEndpoint> voters, Optional<QuorumEndpoint> successor) {
        Set<QuorumEndpoint> members = new LinkedHashSet<>(members());
        members.addAll(voters);
        Set<QuorumEndpoint> next = new LinkedHashSet<>(voters);
        if (voters.size() % 2 == 0) {
            next.add(QuorumEndpoint.placeholder(
                    successor.map(QuorumEndpoint::directory).orElse("")));
        }
        members.addAll(next);
        return new MemberList(logIndex, members, next);
    }

    private static Set<QuorumEndpoint> endpoints(Collection<RaftEndpoint> members) {
        return members.stream().map(QuorumEndpoint.class::cast).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
