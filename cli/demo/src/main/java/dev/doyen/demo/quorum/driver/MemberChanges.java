package dev.doyen.demo.quorum.driver;

import dev.doyen.stores.quorum.QuorumAdmin;
import dev.doyen.stores.quorum.QuorumClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Adds and removes members of the quorum, one change at a time. All methods may be called on any thread; the changes
 * run on a separate thread.
 */
final class MemberChanges implements AutoCloseable {

    /** The time limit of a change. While a majority runs, a change takes less time, even on a busy machine. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(MemberChanges::daemon);

    /** A change of the quorum's members. */
    interface Change {
        String carryOut(QuorumAdmin admin, Consumer<String> progress) throws InterruptedException;
    }

    /**
     * Carries out a change.
     *
     * <p>The future completes when the quorum has confirmed the change. The future fails if the change fails.
     *
     * @param members the addresses of the quorum
     * @param progress receives a sentence for each step
     */
    CompletableFuture<String> carryOut(List<String> members, String secret, Change change, Consumer<String> progress) {
        try {
            return CompletableFuture.supplyAsync(() -> now(members, secret, change, progress), thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static String now(List<String> members, String secret, Change change, Consumer<String> progress) {
        try (var admin = QuorumAdmin.connect(QuorumClientSettings.of(members).withSecret(secret), LIMIT)) {
            return change.carryOut(admin, progress);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException("the demonstration ends", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "doyen-quorum-demo-changes");
        thread.setDaemon(true);
        return thread;
    }
}
