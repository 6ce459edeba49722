package dev.doyen.metrics;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import java.util.Locale;

/** The kind of an error of a lease store, as the label {@code kind} names it. */
public enum StoreErrorKind {
    /** The store did not answer, or its answer cannot be used. */
    AWAY,
    /** The record cannot be parsed. */
    UNREADABLE,
    /** It is unknown whether the store has written the record. */
    UNKNOWN,
    /** Any other error. */
    OTHER;

    /** Returns the kind of an exception that a call threw. */
    public static StoreErrorKind of(Throwable thrown) {
        if (thrown instanceof UnreadableRecordException) {
            return UNREADABLE;
        }
        return thrown instanceof StoreUnavailableException ? AWAY : OTHER;
    }

    /** Returns the value of the label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
