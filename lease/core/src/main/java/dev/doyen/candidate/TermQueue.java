package dev.doyen.candidate;

import dev.doyen.election.Leadership;
import dev.doyen.election.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Stores the newest term. One worker thread waits for the next term. */
final class TermQueue<L extends Leadership> {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final Threads threads;

    /** The scope of the newest term. If this term has ended, the scope starts no task. */
    private @Nullable TermScope<L> current;

    private CompletableFuture<Void> changed = new CompletableFuture<>();
    private boolean closed;

    TermQueue(Threads threads) {
        this.threads = threads;
    }

    /**
     * Waits for the next term and returns its scope. The result is empty if the queue is closed.
     *
     * @param before the term in which the thread has just worked; null if it has not worked in any term
     */
    Optional<TermScope<L>> await(@Nullable TermScope<L> before) throws InterruptedException {
        while (true) {
            CompletableFuture<Void> change;
            synchronized (this) {
                if (closed) {
                    return Optional.empty();
                }
                if (current != null && current != before) {
                    return Optional.of(current);
                }
                changed = new CompletableFuture<>();
                change = changed;
            }
            threads.await(change, FOREVER);
        }
    }

    void open(TermScope<L> scope) {
        change(scope, false);
    }

    void close() {
        change(null, true);
    }

    private void change(@Nullable TermScope<L> scope, boolean close) {
        CompletableFuture<Void> change;
        synchronized (this) {
            current = scope;
            closed |= close;
            change = changed;
        }
        change.complete(null);
    }
}
