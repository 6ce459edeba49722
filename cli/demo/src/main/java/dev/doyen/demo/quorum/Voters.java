package dev.doyen.demo.quorum;

import dev.doyen.demo.quorum.MemberReport.Peer;
import dev.doyen.demo.quorum.MemberReport.Role;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The number of voters, and how many of them can vote now.
 *
 * @param size the number of voters in the report with the highest commit index; 0 before the quorum exists
 * @param available the number of voters that run, are not cut off, and have found the other members
 * @param logLeader the member that is the Raft leader; empty if no available member reports that it is the Raft leader
 */
record Voters(int size, int available, Optional<DemoMember> logLeader) {

    static final Voters NONE = new Voters(0, 0, Optional.empty());

    static Voters among(Collection<DemoMember> members) {
        Optional<DemoMember> newest = members.stream()
                .filter(each -> each.report() != null)
                .max(Comparator.comparingLong(DemoMember::committed)
                        .thenComparing(DemoMember::isAvailable)
                        .thenComparingLong(DemoMember::raftTerm));
        Set<String> voting = newest.map(DemoMember::report)
                .map(report -> report.raft().members().stream()
                        .filter(Peer::votes)
                        .map(Peer::address)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
        long available = members.stream()
                .filter(each -> voting.contains(each.address))
                .filter(DemoMember::isAvailable)
                .count();
        return new Voters(
                voting.size(),
                (int) available,
                members.stream()
                        .filter(DemoMember::isAvailable)
                        .filter(each -> each.role() == Role.LEADER)
                        .max(Comparator.comparingLong(DemoMember::raftTerm)));
    }

    int needed() {
        return size / 2 + 1;
    }

    boolean hasMajority() {
        return size > 0 && available >= needed();
    }

    PageState.Quorum shown() {
        return new PageState.Quorum(
                size,
                size == 0 ? 0 : needed(),
                available,
                logLeader.map(each -> each.number).orElse(null));
    }
}
