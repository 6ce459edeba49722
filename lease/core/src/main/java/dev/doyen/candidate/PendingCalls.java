package dev.doyen.candidate;

import dev.doyen.election.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The futures of a candidate's calls that the loop has not carried out yet. Only the loop thread uses this class. */
public final class PendingCalls {

    private final Threads threads;
    private List<CompletableFuture<Void>> calls = new ArrayList<>();

    public PendingCalls(Threads threads) {
        this.threads = threads;
    }

    public void add(CompletableFuture<Void> call) {
        calls.add(call);
    }

    /** Completes all calls on a callback thread. The completion of a future can run user code. */
    public void complete() {
        List<CompletableFuture<Void>> all = calls;
        calls = new ArrayList<>();
        all.forEach(call -> call.completeAsync(() -> null, threads::callback));
    }
}
