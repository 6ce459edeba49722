package dev.doyen;

import dev.doyen.driver.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where a thread that has work waits for a term to do it in. One thread at a time. */
final class TermDesk {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final Threads threads;

    /** The newest term. It may have ended: then its scope starts no task. */
    private @Nullable TermScope current;

    private CompletableFuture<Void> changed = new CompletableFuture<>();
    private boolean closed;

    TermDesk(Threads threads) {
        this.threads = threads;
    }

    /** Waits for a term other than {@code before}, the one that the thread just worked in. Empty once closed. */
    Optional<TermScope> await(@Nullable TermScope before) throws InterruptedException {
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

    void open(TermScope scope) {
        change(scope, false);
    }

    void close() {
        change(null, true);
    }

    private void change(@Nullable TermScope scope, boolean close) {
        CompletableFuture<Void> change;
        synchronized (this) {
            current = scope;
            closed |= close;
            change = changed;
        }
        change.complete(null);
    }
}
