package dev.doyen.server.operator;

import dev.doyen.event.Leader;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that has changed in an election, as an onlooker saw it.
 *
 * @param leader who leads after it, as far as is known
 * @param sentence for people
 */
public record Change(Kind kind, Optional<Leader> leader, String sentence) {

    /** What can change. */
    public enum Kind {
        /** Somebody leads. */
        LEADER,
        /** Nobody leads. */
        NOBODY,
        /** The leader has missed a renewal. */
        SILENT,
        /** The leader renews again. */
        HEARD,
        /** Somebody asks the leader to step down. */
        ORDER,
        /** Nobody may lead until further notice. */
        PAUSED,
        /** The pause is over. */
        RESUMED,
        /** The store gives no answer. */
        STORE_AWAY,
        /** The store answers again. */
        STORE_BACK;

        /** The word for programs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
