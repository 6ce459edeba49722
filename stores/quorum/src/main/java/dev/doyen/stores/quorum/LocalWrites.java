package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes that are done when this member's copy has them. Threads: any. */
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

    CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout) {
        return log.appendOnce(LeaseBytes.ofWrites(writes), timeout).thenCompose(body -> {
            var source = new ByteSource(body);
            long index = source.longNumber();
            List<CasOutcome> outcomes = source.all(LeaseBytes::readOutcome);
            source.end();
            CompletableFuture<List<CasOutcome>> known = copy.reached(index).thenApply(reached -> outcomes);
            // The outcomes are valid, whether this copy has the writes in time or not.
            time.after(timeout, () -> known.complete(outcomes));
            return known;
        });
    }

    /** Completes when the copy has all entries that were confirmed before; fails after {@code timeout}. */
    CompletableFuture<Void> catchUp(Duration timeout) {
        return log.appendRepeatedly(LeaseCopy.NO_WRITES, timeout).thenCompose(body -> {
            CompletableFuture<Void> known =
                    copy.reached(new ByteSource(body).longNumber()).thenAccept(reached -> {});
            time.after(
                    timeout,
                    () -> known.completeExceptionally(new StoreUnavailableException(
                            "this member did not get all records within " + timeout.toMillis() + " ms")));
            return known;
        });
    }

    /**
     * Gets what was confirmed while this process was away, however long that takes.
     *
     * @param stopped ends the attempts
     * @param complete completes when the copy has it
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
