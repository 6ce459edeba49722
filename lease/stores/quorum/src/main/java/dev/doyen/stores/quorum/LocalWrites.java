package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends writes to the leader. The future of a write completes after this member's copy has applied the write. If the
 * outcome is known but the copy lags behind, the future completes with the outcome after the timeout. Threads: any.
 */
final class LocalWrites {

    private static final Duration CATCH_UP = Duration.ofSeconds(2);

    private final LogWriter log;
    private final LeaseCopy copy;
    private final RaftTime time;

    LocalWrites(LogWriter log, LeaseCopy copy, RaftTime time) {
        this.log = log;
        this.copy = copy;
        this.time = time;
    }

    CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes, Duration timeout) {
        return log.appendOnce(LeaseBytes.ofWrites(writes), timeout).thenCompose(body -> {
            var source = new ByteSource(body);
            long index = source.longNumber();
            List<CasOutcome> outcomes = source.all(LeaseBytes::readOutcome);
            source.end();
            CompletableFuture<List<CasOutcome>> known = copy.reached(index).thenApply(reached -> outcomes);
            // The outcomes are valid even if this copy does not receive the writes in time.
            time.unlessDone(known, timeout, () -> known.complete(outcomes));
            return known;
        });
    }

    /**
     * Waits until the copy contains all entries that were confirmed before the call. The returned future fails if the
     * leader or the copy needs longer than {@code timeout}. Together they can need twice {@code timeout}.
     */
    CompletableFuture<Void> catchUp(Duration timeout) {
        return log.appendRepeatedly(LeaseCopy.NO_WRITES, timeout).thenCompose(body -> {
            CompletableFuture<Void> known =
                    copy.reached(new ByteSource(body).longNumber()).thenAccept(reached -> {});
            time.unlessDone(
                    known,
                    timeout,
                    () -> known.completeExceptionally(new StoreUnavailableException(
                            "this member did not get all records within " + timeout.toMillis() + " ms")));
            return known;
        });
    }

    /**
     * Completes {@code complete} when the copy contains all entries confirmed before the call. The method repeats
     * failed attempts without a time limit.
     *
     * @param stopped the future whose completion ends the attempts
     * @param complete the future to complete when the copy contains the entries
     */
    void catchUpAtStart(CompletableFuture<String> stopped, CompletableFuture<Void> complete) {
        if (!stopped.isDone()) {
            Futures.ignore(catchUp(CATCH_UP).whenComplete((done, failure) -> {
                if (failure == null) {
                    complete.complete(null);
                } else {
                    time.after(LogLeader.LOOK_AGAIN, () -> catchUpAtStart(stopped, complete));
                }
            }));
        }
    }
}
