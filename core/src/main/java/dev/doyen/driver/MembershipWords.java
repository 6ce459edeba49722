package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.View;
import java.util.Optional;

/** Sentences that explanations of an election over a membership share. */
final class MembershipWords {

    static final String NO_VIEW = "no view with this member in it has been installed yet";
    static final String STOPPING = "was elected, but the work of the term before has not stopped";
    static final String RESIGNED = "resigned a short time ago, or its work has not stopped; ";

    private MembershipWords() {}

    static Explanation stoodBack(LossCause cause, String observes, String others) {
        return switch (cause) {
            case PAUSED -> new Explanation(Reason.CANDIDATE_PAUSED, "is paused; " + others);
            case RESIGNED ->
                new Explanation(
                        Reason.WITHOUT_TASK,
                        "whileLeading has ended, and this candidate does not campaign until it is called again; "
                                + others);
            case UNHEALTHY -> new Explanation(Reason.UNHEALTHY, "its health check says no; " + others);
            default -> new Explanation(Reason.OBSERVING, observes + others);
        };
    }

    static String others(Optional<Leader> leader, Optional<View> view) {
        return leader.map(known -> "\"" + known.id() + "\" leads, in term " + known.term())
                .orElseGet(() -> "nobody is known to lead the " + size(view));
    }

    static String size(Optional<View> view) {
        int members = view.map(each -> each.members().size()).orElse(0);
        return members == 1 ? "view of this member alone" : "view of " + members + " members";
    }
}
