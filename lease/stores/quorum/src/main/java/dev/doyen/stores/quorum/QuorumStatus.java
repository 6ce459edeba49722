package dev.doyen.stores.quorum;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a quorum from the view of one process.
 *
 * <p>The indices are positions in the log. While the process takes part, the values are at most a fraction of a second
 * old. Before the process belongs to a quorum, the group and the list of members are empty and the numbers are 0.
 *
 * @param group the random id of the quorum; empty until the process belongs to a quorum
 * @param address the address {@code host:port} of this process
 * @param term Raft's term, which rises with each election of a leader of the log
 * @param commitIndex the index of the last entry that this process has received as confirmed
 * @param appliedIndex the index of the last entry whose writes are in this process's copy of the records
 * @param leader the address of the leader of the log; empty if the process has no known leader, for example
 *     because it does not reach a majority
 * @param members the members, sorted by address
 * @param problem the reason why this process does not take part, in a sentence for users; empty if it takes part. While
 *     a process joins the quorum, the reason can be that no leader has answered it for more than 2 s
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
        /** The member receives all records but does not count toward the majority. */
        LEARNER
    }

    /**
     * The state of one member from the view of the reporting process.
     *
     * @param address the address {@code host:port} of the member
     * @param isLeader true if the member leads the log
     * @param isReachable true if the reporting process has received a message from the member in the last two seconds;
     *     always true for the reporting process itself
     * @param confirmedIndex the index of the last entry that the member has confirmed to the leader. Only the leader
     *     has this value. The index is empty in the status of other processes, and until the member has confirmed an
     *     entry to this leader
     */
    public record Member(
            String address, Role role, boolean isLeader, boolean isReachable, OptionalLong confirmedIndex) {}

    /**
     * Returns the member at an address.
     *
     * @param host the address {@code host:port} of the member
     */
    public Optional<Member> member(String host) {
        return members.stream().filter(each -> each.address().equals(host)).findFirst();
    }

    /** Returns true if this process leads the log. */
    public boolean isLeader() {
        return leader.filter(address::equals).isPresent();
    }

    /** Returns the role of this process in the quorum. The result is empty if the process is not a member. */
    public Optional<Role> role() {
        return member(address).map(Member::role);
    }
}
