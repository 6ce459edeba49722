package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the elector sent no valid answer within the timeout. The leader is then unknown; repeat the request
 * later.
 */
public final class ElectorUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ElectorUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
