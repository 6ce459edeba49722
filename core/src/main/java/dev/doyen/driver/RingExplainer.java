package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.View;
import dev.doyen.ring.Electorate;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Optional;

/** Says why a member of a ring leads, or does not, for a person who asks. */
final class RingExplainer {

    private RingExplainer() {}

    /** Why a hand-over came to nothing, for the log of who handed over. */
    static String failed(RingEffect.HandOverFailed failed) {
        String why = switch (failed.why()) {
            case NOT_THERE -> "no other member of that name is in the view; this member goes on leading";
            case ANOTHER_ELECTED ->
                "another was elected, for it does not stand, was late, or is gone; the members elect as ever";
            case NO_ANSWER -> "nothing is heard of it; the members elect as ever";
        };
        return "the hand-over to \"" + failed.heir() + "\" failed: " + why;
    }

    static Explanation explain(
            RingState state,
            Optional<Electorate> electorate,
            Optional<Leader> leader,
            Optional<String> failure,
            MembershipContest.Asked asked) {
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
        Optional<String> missing = electorate.flatMap(voters -> missing(voters, view.get()));
        if (missing.isPresent()) {
            return new Explanation(Reason.NO_QUORUM, missing.get());
        }
        if (state.leading().isPresent()) {
            return new Explanation(Reason.STOPPING, MembershipWords.STOPPING);
        }
        if (leader.isPresent()) {
            return new Explanation(Reason.HELD, others);
        }
        if (!state.stands(asked.now())) {
            return new Explanation(
                    Reason.STANDING_BACK,
                    MembershipWords.RESIGNED
                            + others
                            + failure.map(text -> "; " + text).orElse(""));
        }
        if (state.asking().isPresent() && electorate.isPresent()) {
            return new Explanation(
                    Reason.TAKING,
                    "asks the voters for term " + state.asking().get().counter() + ": "
                            + Integer.bitCount(state.granted()) + " granted of the "
                            + electorate.get().quorum()
                            + " needed; who voted lately, or has just begun, waits first");
        }
        return new Explanation(
                Reason.TAKING,
                "stands in round " + state.round() + " of the " + MembershipWords.size(view)
                        + ", which is not decided");
    }

    /** What lets nobody lead in this view, if anything: too few voters. */
    static Optional<String> missing(Electorate electorate, View view) {
        int here = electorate.votersIn(view);
        if (electorate.isQuorum(here)) {
            return Optional.empty();
        }
        return Optional.of("no quorum: " + Integer.bitCount(here) + " of the voters "
                + electorate.voters() + " in the " + MembershipWords.size(Optional.of(view)) + " can vote, and "
                + electorate.quorum() + " are needed");
    }
}
