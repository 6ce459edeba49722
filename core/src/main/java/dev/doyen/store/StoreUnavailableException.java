package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer, or answered what cannot be used. If this was a write, its outcome is unknown: read again
 * before deciding anything.
 */
public final class StoreUnavailableException extends RuntimeException {

    public StoreUnavailableException(String message) {
        this(message, null);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
