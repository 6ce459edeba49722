package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.View;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Optional;

/** Says why a member of a ring leads, or does not, for a person who asks. */
final class RingExplainer {

    private RingExplainer() {}

    static Explanation explain(RingState state, Optional<Leader> leader, MembershipContest.Asked asked) {
        Optional<View> view = state.view();
        if (asked.leads()) {
            Duration remaining = state.remainingAt(asked.now());
            return new Explanation(
                    asked.doubted() ? Reason.IN_JEOPARDY : Reason.LEADING,
                    "leads the " + MembershipWords.size(view) + ", for " + remaining.toMillis() + " ms at least"
                            + (asked.doubted() ? "; but no message has come round the ring lately" : ""));
        }
        if (view.isEmpty()) {
            return new Explanation(Reason.NOT_SEEN, MembershipWords.NO_VIEW);
        }
        String others = MembershipWords.others(leader, view);
        if (asked.stoodBack().isPresent()) {
            return MembershipWords.stoodBack(
                    asked.stoodBack().get(), "only observes, and passes messages on; ", others);
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, MembershipWords.STOPPING);
        }
        if (leader.isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.stands(asked.now())) {
            return new Explanation(Reason.STANDING_BACK, MembershipWords.RESIGNED + others);
        }
        return new Explanation(
                Reason.TAKING,
                "stands in round " + state.round() + " of the " + MembershipWords.size(view)
                        + ", which is not decided");
    }
}
