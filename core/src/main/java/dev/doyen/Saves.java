package dev.doyen;

import dev.doyen.driver.LeaseLoop;
import dev.doyen.event.HandOverState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Saves on their way to the store. Each waits in a thread of the caller's, so there are never more than those. */
final class Saves {

    private final LeaseLoop loop;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private long last;
    private long endedTerm;

    Saves(LeaseLoop loop) {
        this.loop = loop;
    }

    /** Completes when stored; exceptionally, with {@link NotLeaderException}, when the term has ended. */
    synchronized CompletableFuture<Void> begin(String election, long term, HandOverState state) {
        if (term <= endedTerm) {
            return CompletableFuture.failedFuture(new NotLeaderException(election, term));
        }
        var save = new Waiting(term, new CompletableFuture<>());
        waiting.put(++last, save);
        loop.save(last, state);
        return save.done;
    }

    /** The saves up to this number are stored; on the loop thread. */
    void confirmed(long save) {
        List<Waiting> done;
        synchronized (this) {
            done = new ArrayList<>(waiting.headMap(save, true).values());
            waiting.headMap(save, true).clear();
        }
        done.forEach(each -> each.done.complete(null));
    }

    /** No save of this term can be confirmed any more; on the loop thread. */
    void termEnded(String election, long term) {
        List<Waiting> failed;
        synchronized (this) {
            endedTerm = term;
            failed = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        failed.forEach(each -> each.done.completeExceptionally(new NotLeaderException(election, each.term)));
    }

    private record Waiting(long term, CompletableFuture<Void> done) {}
}
