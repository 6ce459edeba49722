package dev.doyen.metrics;

import dev.doyen.store.CasOutcome;
import java.util.Locale;

/** The outcome of a call to a lease store, as the label {@code outcome} names it. */
public enum StoreOutcome {
    /** The store has answered a read. */
    ANSWERED,
    /** The store has written the record. */
    WRITTEN,
    /** The store has another version of the record. */
    CONFLICT,
    /** It is unknown whether the store has written the record. */
    UNKNOWN,
    /** The call threw an exception. */
    FAILED;

    /** Returns the outcome of a write. */
    public static StoreOutcome of(CasOutcome outcome) {
        if (outcome instanceof CasOutcome.Written) {
            return WRITTEN;
        }
        return outcome instanceof CasOutcome.Conflict ? CONFLICT : UNKNOWN;
    }

    /** Returns the value of the label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
