package dev.doyen.stores.quorum;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a quorum as one process knows it, without a message.
 *
 * <p>The indices are those of the log. They are at most a fraction of a second old. Before the process belongs to a
 * quorum, the group is empty, the numbers are 0 and there are no members.
 *
 * @param group the random id of the quorum; empty until the process belongs to one
 * @param address {@code host:port} of this process
 * @param term Raft's term, which rises with each election of a leader of the log
 * @param commitIndex the index of the last confirmed entry, as far as this process knows
 * @param appliedIndex the index of the last entry whose writes are in this process's copy of the records
 * @param leader the address of the leader of the log; empty if this process knows none, so it has no majority
 * @param members the members, sorted by address
 * @param problem why this process does not take part, in a sentence for users; empty if it does. A process that joins
 *     reports it if no leader has answered for more than 2 s
 */
public record QuorumStatus(
        Optional<String> group,
        String address,
        int term,
        long commitIndex,
        long appliedIndex,
        Optional<String> leader,
        List<Member> members,
        Optional<String> problem) {

    public QuorumStatus {
        members = members.stream().sorted(Comparator.comparing(Member::address)).toList();
    }

    /** Returns the status of a process that does not belong to a quorum yet. */
    static QuorumStatus outside(String address, String problem) {
        return new QuorumStatus(Optional.empty(), address, 0, 0, 0, Optional.empty(), List.of(), Optional.of(problem));
    }

    /** The role of a member in its quorum. */
    public enum Role {
        /** The member counts toward the majority and can lead the log. */
        VOTER,
        /** The member gets all records but does not count toward the majority. */
        LEARNER
    }

    /**
     * The state of a member as the reporting process knows it.
     *
     * @param address {@code host:port}
     * @param isLeader whether it leads the log
     * @param isReachable whether it has answered the reporting process in the last two seconds; true for that process
     *     itself
     * @param confirmedIndex the index of the last entry that it has confirmed. Only the leader knows it: it is empty in
     *     the status of others, and until the member has confirmed an entry to this leader
     */
    public record Member(
            String address, Role role, boolean isLeader, boolean isReachable, OptionalLong confirmedIndex) {}

    /**
     * Returns the member at this address.
     *
     * @param host {@code host:port}
     */
    public Optional<Member> member(String host) {
        return members.stream().filter(each -> each.address().equals(host)).findFirst();
    }

    /** Returns whether this process leads the log. */
    public boolean isLeader() {
        return leader.filter(address::equals).isPresent();
    }

    /** Returns the role of this process in the quorum; empty if it is not a member. */
    public Optional<Role> role() {
        return member(address).map(Member::role);
    }
}
