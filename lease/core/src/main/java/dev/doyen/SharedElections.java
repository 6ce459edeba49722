package dev.doyen;

import dev.doyen.driver.LoopContext;
import dev.doyen.text.ElectionNames;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Elections that share threads, a store and a session. */
final class SharedElections implements Elections {

    private final LoopContext context;
    private final LeaseSettings.Opened opened;
    private final ConcurrentMap<String, LeaseElection> elections = new ConcurrentHashMap<>();

    /** Completes after the session has been released. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * True if no further election may be created. The monitor of this object guards this field and the creation of
     * elections.
     */
    private boolean closed;

    SharedElections(LoopContext context, LeaseSettings.Opened opened) {
        this.context = context;
        this.opened = opened;
    }

    @Override
    public synchronized Election named(String name) {
        ElectionNames.checkElection(name);
        if (closed) {
            throw new IllegalStateException("the elections are closed; \"" + name + "\" cannot be opened");
        }
        return elections.computeIfAbsent(
                name, each -> new LeaseElection(each, context, opened.candidature(), ended -> elections.remove(each)));
    }

    @Override
    public void close() {
        List<LeaseElection> all;
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
            all = List.copyOf(elections.values());
        }
        // All candidates and observers begin to leave before this method waits, so the store receives the releases
        // together.
        List<LoopObserver> leaving =
                all.stream().map(LeaseElection::leave).flatMap(List::stream).toList();
        LoopObserver.awaitEnd(leaving);
        if (first) {
            context.sessions().close(() -> released.complete(null));
        }
        // The session is released after the work of all elections has stopped. If the caller is part of this work, it
        // must not wait for the release.
        if (leaving.stream().noneMatch(LoopObserver::waitsForCaller)) {
            awaitRelease();
        }
        if (first) {
            opened.closeAfter(CompletableFuture.allOf(LoopObserver.allEnded(leaving), released));
        }
    }

    private void awaitRelease() {
        try {
            if (!context.threads().await(released, context.timing().deadline())) {
                System.getLogger("dev.doyen")
                        .log(
                                System.Logger.Level.WARNING,
                                "the session could not be released in time; it is released later or expires");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
