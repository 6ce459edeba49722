package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if no valid answer arrived in time, or if the wait was interrupted. The leader is then unknown; repeat the
 * request later.
 */
public final class ElectorUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ElectorUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
