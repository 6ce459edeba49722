package dev.doyen.stores.quorum;

import java.util.concurrent.CompletableFuture;

/** Marks futures whose result is deliberately ignored. */
final class Futures {

    private Futures() {}

    /** Ignores this future, because its failure is handled elsewhere. */
    static void ignore(CompletableFuture<?> unused) {}
}
