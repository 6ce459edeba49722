package dev.doyen.stores.quorum;

import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The index up to which this process has applied the log. Callers can wait until the process has applied a later
 * index. Threads: any.
 */
final class AppliedIndex {

    private final NavigableMap<Long, CompletableFuture<Void>> waiting = new TreeMap<>();
    private long applied;

    /** Returns the index of the last applied entry. */
    synchronized long last() {
        return applied;
    }

    /** Returns a future that completes when this index is applied. */
    synchronized CompletableFuture<Void> reached(long index) {
        return index <= applied
                ? CompletableFuture.completedFuture(null)
                : waiting.computeIfAbsent(index, each -> new CompletableFuture<>());
    }

    void advance(long index) {
        NavigableMap<Long, CompletableFuture<Void>> now;
        synchronized (this) {
            applied = Math.max(applied, index);
            NavigableMap<Long, CompletableFuture<Void>> reached = waiting.headMap(applied, true);
            now = new TreeMap<>(reached);
            reached.clear();
        }
        now.values().forEach(each -> each.complete(null));
    }
}
