package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store does not answer, or if its answer cannot be used.
 *
 * <p>After this exception, the outcome of a write is unknown. Read the record to find out what it contains.
 */
public sealed class StoreUnavailableException extends RuntimeException
        permits StoreRefusedException, UnreadableRecordException {

    public StoreUnavailableException(String message) {
        this(message, null);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
