package dev.doyen.stores.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Helpers for the results of futures. */
final class Futures {

    private Futures() {}

    /** Ignores this future, because its failure is handled elsewhere. */
    static void ignore(CompletableFuture<?> unused) {}

    /** Returns the failure without the exception in which a future wraps it. */
    static Throwable cause(Throwable failure) {
        boolean isWrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = failure.getCause();
        return isWrapped && cause != null ? cause : failure;
    }
}
