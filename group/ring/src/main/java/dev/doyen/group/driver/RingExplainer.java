package dev.doyen.group.driver;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.health.WithdrawalExplanation;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Optional;

/** Explains why a member of a ring leads, or does not lead. */
final class RingExplainer {

    private RingExplainer() {}

    /**
     * Returns a sentence with the reason for a failed handover. The member that tried to hand over logs the sentence.
     */
    static String failed(RingEffect.HandOverFailed failed) {
        String why = switch (failed.why()) {
            case NOT_THERE -> "the view contains no other member of that name; this member continues to lead";
            case ANOTHER_ELECTED ->
                "another member was elected, because the successor does not campaign, was late, or has left";
            case NO_ANSWER -> "the successor did not answer; the members elect any candidate";
        };
        return "the handover to \"" + failed.successor() + "\" failed: " + why;
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
                    "leads the " + size(view) + " for at least another " + remaining.toMillis() + " ms"
                            + (context.doubted() ? "; no message has passed the whole ring recently" : ""));
        }
        if (view.isEmpty()) {
            return new Explanation(Reason.NOT_SEEN, "no view that contains this member has been installed yet");
        }
        String others = others(leader, view);
        if (context.withdrawnBecause().isPresent()) {
            return WithdrawalExplanation.of(context.withdrawnBecause().get(), others)
                    .orElseGet(
                            () -> new Explanation(Reason.OBSERVING, "only observes and forwards messages; " + others));
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, "was elected, but the work of its previous term has not stopped");
        }
        if (leader.isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.campaigns(context.now())) {
            return new Explanation(
                    Reason.COOLDOWN,
                    "resigned recently, or its work has not stopped; "
                            + others
                            + failure.map(text -> "; " + text).orElse(""));
        }
        return new Explanation(
                Reason.TAKING,
                "campaigns in round " + state.round() + " of the " + size(view) + ", which has no winner yet");
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
