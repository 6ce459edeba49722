package dev.doyen.candidate;

import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Saves that are not confirmed yet. Each one blocks a thread of the caller, which limits their number. */
public final class Saves {

    /** A save ends with its term at the latest. */
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final Loop loop;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private long last;
    private long endedTerm;

    /** Accepts a save. The numbers rise from 1. */
    @FunctionalInterface
    public interface Loop {
        void save(long term, long save, SavedState state);
    }

    public Saves(Loop loop) {
        this.loop = loop;
    }

    /** Implements {@code save} of a leadership. */
    public void save(Threads threads, String election, long term, SavedState state) throws InterruptedException {
        CompletableFuture<Void> saved = begin(election, term, state);
        threads.await(saved, FOREVER);
        if (saved.isCompletedExceptionally()) {
            throw new NotLeaderException(election, term);
        }
    }

    /**
     * The future completes when the save is confirmed. It fails with {@link NotLeaderException} when the term has
     * ended.
     */
    private synchronized CompletableFuture<Void> begin(String election, long term, SavedState state) {
        if (term <= endedTerm) {
            return CompletableFuture.failedFuture(new NotLeaderException(election, term));
        }
        var save = new Waiting(term, new CompletableFuture<>());
        waiting.put(++last, save);
        loop.save(term, last, state);
        return save.done;
    }

    /** The saves up to this number are confirmed; on the loop thread. */
    public void confirmed(long save) {
        List<Waiting> done;
        synchronized (this) {
            done = new ArrayList<>(waiting.headMap(save, true).values());
            waiting.headMap(save, true).clear();
        }
        done.forEach(each -> each.done.complete(null));
    }

    /** No save of this term can be confirmed any more; on the loop thread. */
    public void termEnded(String election, long term) {
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
