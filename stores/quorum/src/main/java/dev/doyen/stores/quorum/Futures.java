package dev.doyen.stores.quorum;

import java.util.concurrent.CompletableFuture;

/** Marks futures that nobody waits for. */
final class Futures {

    private Futures() {}

    /** Nobody waits for this future, because its failure is handled elsewhere. */
    static void ignore(CompletableFuture<?> unused) {}
}
