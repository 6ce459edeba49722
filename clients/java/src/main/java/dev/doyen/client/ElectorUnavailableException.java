package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/** The elector gave no answer within the timeout, or none that can be read: who leads is not known. Ask again later. */
public final class ElectorUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ElectorUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
