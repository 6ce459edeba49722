package dev.doyen.candidate;

import dev.doyen.election.Threads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Stores each call of a candidate until the future of the call completes.
 *
 * <p>After the loop has ended, the election possibly closes its own threads. Waiting tasks of the loop thread can still
 * run then, but callbacks cannot. So the end of the loop completes every future.
 *
 * <p>Threads: any.
 */
public final class OpenCalls {

    private final Threads threads;
    private final Map<Long, CompletableFuture<Void>> open = new HashMap<>();
    private long begun;
    private boolean ended;

    public OpenCalls(Threads threads) {
        this.threads = threads;
    }

    /** Returns the future of a new call. After {@link #end}, the future is complete. */
    public CompletableFuture<Void> begin() {
        var call = new CompletableFuture<Void>();
        long number;
        synchronized (this) {
            if (ended) {
                call.complete(null);
                return call;
            }
            begun++;
            number = begun;
            open.put(number, call);
        }
        CompletableFuture<Void> unused = call.whenComplete((done, failure) -> remove(number));
        return call;
    }

    /**
     * Completes all futures on a callback thread. The completion of a future can run user code. Called when the loop
     * has ended, before its threads are closed.
     */
    public void end() {
        List<CompletableFuture<Void>> rest;
        synchronized (this) {
            ended = true;
            rest = List.copyOf(open.values());
        }
        rest.forEach(call -> call.completeAsync(() -> null, threads::callback));
    }

    /** Returns true after {@link #end}, which has completed all futures. */
    public synchronized boolean haveEnded() {
        return ended;
    }

    private synchronized void remove(long number) {
        open.remove(number);
    }
}
