package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.roster.RosterState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says why a member leads by ranking, or does not, for a person who asks. */
final class RankingExplainer {

    /** So many of those who do not answer are named. */
    private static final int MAX_NAMED = 5;

    private RankingExplainer() {}

    static Explanation explain(
            RosterState state, int position, Optional<Leader> leader, MembershipContest.Asked asked) {
        Optional<View> view = state.view();
        if (asked.leads()) {
            Duration remaining = state.remainingAt(asked.now());
            return new Explanation(
                    asked.doubted() ? Reason.IN_JEOPARDY : Reason.LEADING,
                    "leads the " + MembershipWords.size(view) + ", for " + remaining.toMillis() + " ms at least"
                            + (asked.doubted() ? "; but not all members have answered lately" : ""));
        }
        if (view.isEmpty()) {
            return new Explanation(Reason.NOT_SEEN, MembershipWords.NO_VIEW);
        }
        String others = MembershipWords.others(leader, view);
        if (asked.stoodBack().isPresent()) {
            return MembershipWords.stoodBack(asked.stoodBack().get(), "only observes, and answers; ", others);
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, MembershipWords.STOPPING);
        }
        List<Member> silent = state.silent();
        if (!state.isComplete()) {
            return new Explanation(
                    Reason.NOT_SEEN,
                    "nobody can be elected before all members of the view have answered, and " + named(silent)
                            + " has not; each has to take part in this election, if only as an observer");
        }
        if (leader.isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.standsAt(asked.now())) {
            return new Explanation(Reason.STANDING_BACK, MembershipWords.RESIGNED + others);
        }
        if (!silent.isEmpty()) {
            return new Explanation(
                    Reason.TAKING, "has said what it wants, and " + named(silent) + " has not answered yet");
        }
        if (position > 0) {
            return new Explanation(
                    Reason.PREFERRED_FIRST, others + ", and " + position + " may claim before this member");
        }
        return new Explanation(Reason.TAKING, others + ", and this member is the first that may claim");
    }

    private static String named(List<Member> silent) {
        String names = String.join(
                ", ",
                silent.stream()
                        .limit(MAX_NAMED)
                        .map(member -> "\"" + member.id() + "\"")
                        .toList());
        return silent.size() <= MAX_NAMED ? names : names + " and " + (silent.size() - MAX_NAMED) + " more";
    }
}
