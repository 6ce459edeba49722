package dev.doyen.candidate;

import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The saves that are not confirmed yet. Each save blocks its caller's thread, so the number of threads limits the
 * number of saves.
 */
public final class Saves {

    /** The maximum wait for a save. No shorter limit is needed, because each save ends with its term at the latest. */
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final Loop loop;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private long last;
    private long endedTerm;

    /** The loop that accepts saves. The saves are numbered 1, 2, 3 and so on. */
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
     * Begins a save. The future completes when the save is confirmed. If the term ends first, the future fails with
     * {@link NotLeaderException}.
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

    /** Completes the saves up to this number, because they are confirmed. Called on the loop thread. */
    public void confirmed(long save) {
        List<Waiting> done;
        synchronized (this) {
            done = new ArrayList<>(waiting.headMap(save, true).values());
            waiting.headMap(save, true).clear();
        }
        done.forEach(each -> each.done.complete(null));
    }

    /**
     * Fails all pending saves. The term has ended, so no answer can confirm them any more. Called on the loop thread.
     */
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
