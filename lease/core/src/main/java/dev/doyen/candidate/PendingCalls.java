package dev.doyen.candidate;

import dev.doyen.election.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The futures of a candidate's calls that the loop has not carried out yet. Only the loop thread uses this class. */
public final class PendingCalls {

    private final String election;
    private final Threads threads;
    private List<CompletableFuture<Void>> calls = new ArrayList<>();

    public PendingCalls(String election, Threads threads) {
        this.election = election;
        this.threads = threads;
    }

    public void add(CompletableFuture<Void> call) {
        calls.add(call);
    }

    /** Completes all calls on a callback thread. The completion of a future can run user code. */
    public void complete() {
        removeAll().forEach(call -> call.completeAsync(() -> null, threads::callback));
    }

    /** Fails all calls on a callback thread, because the loop has possibly not carried out one of them. */
    public void fail() {
        var why = new IllegalStateException("the calls of the candidate in election \"" + election
                + "\" failed repeatedly, possibly also this call; the log contains the cause");
        removeAll().forEach(call -> threads.callback(() -> call.completeExceptionally(why)));
    }

    private List<CompletableFuture<Void>> removeAll() {
        List<CompletableFuture<Void>> all = calls;
        calls = new ArrayList<>();
        return all;
    }
}
