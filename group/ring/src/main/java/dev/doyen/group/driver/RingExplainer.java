package dev.doyen.group.driver;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Optional;

/** Explains why a member of a ring leads, or does not lead. */
final class RingExplainer {

    private RingExplainer() {}

    /** Returns the reason of a failed handover, for the log of the former leader. */
    static String failed(RingEffect.HandOverFailed failed) {
        String why = switch (failed.why()) {
            case NOT_THERE -> "no other member of that name is in the view; this member goes on leading";
            case ANOTHER_ELECTED ->
                "another was elected, for it does not campaign, was late, or is gone; the members elect as ever";
            case NO_ANSWER -> "nothing is heard of it; the members elect as ever";
        };
        return "the hand-over to \"" + failed.successor() + "\" failed: " + why;
    }

    static Explanation explain(
            RingState state,
            Optional<Leader> leader,
            Optional<String> failure,
            MembershipContest.ExplanationContext context) {
        Optional<View> view = state.view();
        if (context.leads()) {
            Duration remaining = state.remainingAt(context.now());
            return new Explanation(
                    context.doubted() ? Reason.IN_JEOPARDY : Reason.LEADING,
                    "leads the " + size(view) + ", for " + remaining.toMillis() + " ms at least"
                            + (context.doubted() ? "; but no message has come round the ring lately" : ""));
        }
        if (view.isEmpty()) {
            return new Explanation(Reason.NOT_SEEN, "no view with this member in it has been installed yet");
        }
        String others = others(leader, view);
        if (context.withdrawnBecause().isPresent()) {
            return withdrawnBecause(context.withdrawnBecause().get(), others);
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, "was elected, but the work of the term before has not stopped");
        }
        if (leader.isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.campaigns(context.now())) {
            return new Explanation(
                    Reason.COOLDOWN,
                    "resigned a short time ago, or its work has not stopped; "
                            + others
                            + failure.map(text -> "; " + text).orElse(""));
        }
        return new Explanation(
                Reason.TAKING,
                "campaigns in round " + state.round() + " of the " + size(view) + ", which is not decided");
    }

    private static Explanation withdrawnBecause(LossCause cause, String others) {
        return switch (cause) {
            case PAUSED -> new Explanation(Reason.CANDIDATE_PAUSED, "is paused; " + others);
            case RESIGNED ->
                new Explanation(
                        Reason.WITHOUT_TASK,
                        "whileLeading has ended, and this candidate does not campaign until it is called again; "
                                + others);
            case UNHEALTHY -> new Explanation(Reason.UNHEALTHY, "its health check says no; " + others);
            default -> new Explanation(Reason.OBSERVING, "only observes, and passes messages on; " + others);
        };
    }

    private static String others(Optional<Leader> leader, Optional<View> view) {
        return leader.map(known -> "\"" + known.id() + "\" leads, in term " + known.term())
                .orElseGet(() -> "nobody is known to lead the " + size(view));
    }

    private static String size(Optional<View> view) {
        int members = view.map(each -> each.members().size()).orElse(0);
        return members == 1 ? "view of this member alone" : "view of " + members + " members";
    }
}
