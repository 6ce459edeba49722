package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/** The elector gave no valid answer within the timeout, so the leader is unknown. Ask again later. */
public final class ElectorUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ElectorUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
