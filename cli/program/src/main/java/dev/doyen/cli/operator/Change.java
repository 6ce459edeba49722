package dev.doyen.cli.operator;

import dev.doyen.event.Leader;
import java.util.Locale;
import java.util.Optional;

/**
 * A change in an election that an observer has detected.
 *
 * @param leader the leader after the change; empty if no leader is known
 * @param sentence the change as a sentence for people
 */
public record Change(Kind kind, Optional<Leader> leader, String sentence) {

    /** The kinds of change. */
    public enum Kind {
        /** Another candidate leads, or the same candidate leads in another term. */
        LEADER,
        /** No candidate leads. */
        NOBODY,
        /** The leader has missed a renewal. */
        RENEWAL_MISSED,
        /** The leader renews again. */
        RENEWED,
        /** An admin or a candidate has asked the leader to step down. */
        ADMIN_COMMAND,
        /** The election is paused. */
        PAUSED,
        /** The pause has ended. */
        RESUMED,
        /** The store does not answer. */
        STORE_UNAVAILABLE,
        /** The store answers again. */
        STORE_AVAILABLE;

        /** Returns the name of the kind for programs, in lower case with hyphens. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
