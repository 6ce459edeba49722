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
 * <p>If the number of real voters is even, the list also contains a placeholder. A placeholder is a voter that does not
 * exist and never answers. So the number of voters in MicroRaft is always odd. The placeholder does not change the size
 * of a majority. A majority of 4 voters is 3 voters. With a placeholder the list has 5 voters, and a majority is also
 * 3. Without the placeholder, MicroRaft would confirm an entry that only 2 of 4 voters have. After the next change of
 * members, a majority without these 2 voters could then elect a leader that lacks the entry.
 *
 * <p>A placeholder can be reserved for a specific learner. The learner replaces its placeholder as soon as it has all
 * entries.
 *
 * @param logIndex the index of the entry that contains the list; 0 for the list of the founders
 * @param all all members, voting or not, including the placeholder
 * @param voting the members that vote, including the placeholder
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

    /** Returns the number of voters that must confirm an entry. */
    int majority() {
        return voters().size() / 2 + 1;
    }

    boolean isVoter(QuorumEndpoint member) {
        return voting.contains(member);
    }

    boolean contains(QuorumEndpoint member) {
        return all.contains(member);
    }

    /**
     * Returns the members at this address. An address has two members while a process with a new directory replaces a
     * member that lost its directory.
     */
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
     * Returns a copy of this list without the removed member.
     *
     * @param successor the learner for which the new placeholder is reserved, if the removal adds a placeholder
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
