package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.View;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Optional;

/** Says why a member of a ring leads, or does not, for a person who asks. */
final class RingExplainer {

    private RingExplainer() {}

    static Explanation explain(
            RingState state, boolean leads, Moment now, Optional<LossCause> stoodBack, boolean doubted) {
        Optional<View> view = state.view();
        if (leads) {
            Duration remaining = state.remainingAt(now);
            return new Explanation(
                    doubted ? Reason.IN_JEOPARDY : Reason.LEADING,
                    "leads the " + size(view) + ", for " + remaining.toMillis() + " ms at least"
                            + (doubted ? "; but no message has come round the ring lately" : ""));
        }
        if (view.isEmpty()) {
            return new Explanation(Reason.NOT_SEEN, "no view with this member in it has been installed yet");
        }
        String others = RingLoop.leader(state.leader())
                .map(RingExplainer::named)
                .orElse("nobody is known to lead the " + size(view));
        if (stoodBack.isPresent()) {
            return switch (stoodBack.get()) {
                case PAUSED -> new Explanation(Reason.CANDIDATE_PAUSED, "is paused; " + others);
                case UNHEALTHY -> new Explanation(Reason.UNHEALTHY, "its health check says no; " + others);
                default -> new Explanation(Reason.OBSERVING, "only observes, and passes messages on; " + others);
            };
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, "was elected, but the work of the term before has not stopped");
        }
        if (state.leader().isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.stands(now)) {
            return new Explanation(
                    Reason.STANDING_BACK, "resigned a short time ago, or its work has not stopped; " + others);
        }
        return new Explanation(
                Reason.TAKING, "stands in round " + state.round() + " of the " + size(view) + ", which is not decided");
    }

    private static String named(Leader leader) {
        return "\"" + leader.id() + "\" leads, in term " + leader.term();
    }

    private static String size(Optional<View> view) {
        int members = view.map(each -> each.members().size()).orElse(0);
        return members == 1 ? "view of this member alone" : "view of " + members + " members";
    }
}
