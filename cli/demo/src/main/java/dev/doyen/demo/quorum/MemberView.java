package dev.doyen.demo.quorum;

import dev.doyen.demo.quorum.DemoMember.Condition;
import dev.doyen.demo.quorum.MemberReport.Peer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

/** Builds the page's view of a member from the reports of all members. */
final class MemberView {

    private MemberView() {}

    static PageState.Member of(DemoMember member, Collection<DemoMember> all, boolean leads) {
        MemberReport report = member.report();
        MemberReport.Raft raft = report == null ? MemberReport.Raft.waiting() : report.raft();
        return new PageState.Member(
                member.number,
                member.pid(),
                member.address,
                member.condition().name().toLowerCase(Locale.ROOT),
                member.isCut(),
                member.isLeaving(),
                report == null ? null : raft.role().name().toLowerCase(Locale.ROOT),
                raft.votes(),
                raft.term(),
                raft.committed(),
                raft.applied(),
                leads,
                report == null ? null : sees(report.candidacy(), all),
                numbers(
                        all,
                        each -> member.condition() == Condition.RUNNING && each != member && reaches(member, each)),
                numbers(all, each -> each.condition() == Condition.RUNNING && each != member && reaches(each, member)));
    }

    private static PageState.@org.jspecify.annotations.Nullable Leading sees(
            MemberReport.Candidacy candidacy, Collection<DemoMember> all) {
        return all.stream()
                .filter(each -> Objects.equals(each.id(), candidacy.leader()))
                .findFirst()
                .map(each -> new PageState.Leading(each.number, candidacy.leaderTerm()))
                .orElse(null);
    }

    private static boolean reaches(DemoMember from, DemoMember to) {
        MemberReport report = from.report();
        return report != null
                && report.raft().members().stream()
                        .filter(each -> each.address().equals(to.address))
                        .anyMatch(Peer::reachable);
    }

    private static List<Integer> numbers(Collection<DemoMember> all, Predicate<DemoMember> condition) {
        return all.stream().filter(condition).map(each -> each.number).toList();
    }
}
