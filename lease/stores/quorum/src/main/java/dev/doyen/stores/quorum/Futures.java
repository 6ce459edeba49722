package dev.doyen.stores.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Static methods for the results of futures. */
final class Futures {

    private Futures() {}

    /** Ignores the result of this future, because another stage handles its failure. */
    static void ignore(CompletableFuture<?> unused) {}

    /** Returns the cause of a failure, without the wrapper exception of a future. */
    static Throwable cause(Throwable failure) {
        boolean isWrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = failure.getCause();
        return isWrapped && cause != null ? cause : failure;
    }
}
