package dev.doyen.metrics;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import java.util.Locale;
import java.util.Optional;

/** The kind of an error of a lease store, as the label {@code kind} names it. */
public enum StoreErrorKind {
    /** The store did not answer, or its answer cannot be used. */
    AWAY,
    /** The store rejects the request, because this process lacks a right. */
    REFUSED,
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
        if (thrown instanceof StoreRefusedException) {
            return REFUSED;
        }
        return thrown instanceof StoreUnavailableException ? AWAY : OTHER;
    }

    /** Returns the kind of the error that a write has reported; empty if the write has a known outcome. */
    static Optional<StoreErrorKind> of(CasOutcome outcome) {
        return outcome instanceof CasOutcome.Unknown unknown
                ? Optional.of(unknown.refused() ? REFUSED : UNKNOWN)
                : Optional.empty();
    }

    /** Returns the value of the label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
