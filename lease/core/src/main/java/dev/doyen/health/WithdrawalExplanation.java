package dev.doyen.health;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.LossCause;
import java.util.Optional;

/** Explains why a candidate does not campaign, in elections by lease and in ring elections. */
public final class WithdrawalExplanation {

    private WithdrawalExplanation() {}

    /**
     * Returns the explanation for a candidate that withdrew because of {@code cause}.
     *
     * @param leader a clause that names the leader of the election, such as {@code "a" leads}
     * @return the explanation; empty unless the cause is PAUSED, RESIGNED or UNHEALTHY
     */
    public static Optional<Explanation> of(LossCause cause, String leader) {
        return switch (cause) {
            case PAUSED -> Optional.of(explanation(Reason.CANDIDATE_PAUSED, "this candidate is paused", leader));
            case RESIGNED ->
                Optional.of(explanation(
                        Reason.WITHOUT_TASK,
                        "whileLeading has ended, and this candidate does not campaign until it is called again",
                        leader));
            case UNHEALTHY ->
                Optional.of(explanation(Reason.UNHEALTHY, "the health check of this candidate fails", leader));
            default -> Optional.empty();
        };
    }

    private static Explanation explanation(Reason reason, String why, String leader) {
        return new Explanation(reason, why + "; " + leader);
    }
}
