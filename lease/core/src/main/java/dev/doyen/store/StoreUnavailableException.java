package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store does not answer, or if its answer cannot be used.
 *
 * <p>The outcome of a write is then unknown: read the record before you decide anything.
 */
public final class StoreUnavailableException extends RuntimeException {

    public StoreUnavailableException(String message) {
        this(message, null);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
