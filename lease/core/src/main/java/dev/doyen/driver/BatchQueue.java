package dev.doyen.driver;

import dev.doyen.election.Threads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A queue that one thread at a time empties in batches. A batch contains at most one entry for each key.
 *
 * <p>Each entry is either processed or reported as failed, even if the work throws an exception or no thread can be
 * started. After such a failure, the queue accepts further entries.
 */
final class BatchQueue<T> {

    private final Threads threads;
    private final int most;
    private final Function<T, String> key;
    private final Consumer<List<T>> work;
    private final BiConsumer<T, String> failed;
    private final Deque<T> waiting = new ArrayDeque<>();
    private boolean running;

    /**
     * @param failed the callback that receives an entry and the reason if the entry was not processed, or if
     *     {@code work} threw an exception for the batch with this entry
     */
    BatchQueue(
            Threads threads, int most, Function<T, String> key, Consumer<List<T>> work, BiConsumer<T, String> failed) {
        this.threads = threads;
        this.most = most;
        this.key = key;
        this.work = work;
        this.failed = failed;
    }

    void add(T entry) {
        synchronized (waiting) {
            waiting.add(entry);
            if (running) {
                return;
            }
            running = true;
        }
        // The loop thread first runs its waiting tasks and then starts the drain. So entries that these tasks add go
        // into the same batch.
        startOrFail(() -> threads.loop(this::start));
    }

    private void start() {
        startOrFail(() -> threads.store(this::drain));
    }

    private void startOrFail(BooleanSupplier start) {
        String reason = StoreExecutor.BUSY;
        boolean accepted = false;
        try {
            accepted = start.getAsBoolean();
        } catch (Throwable e) {
            reason = e.toString();
        }
        if (!accepted) {
            stop(reason);
        }
    }

    private void drain() {
        try {
            for (List<T> batch = next(); !batch.isEmpty(); batch = next()) {
                work(batch);
            }
        } catch (Throwable e) {
            stop(e.toString());
        }
    }

    private void work(List<T> batch) {
        try {
            work.accept(batch);
        } catch (Throwable e) {
            fail(batch, e.toString());
        }
    }

    /** Fails all waiting entries. The next {@link #add} starts the queue again. */
    private void stop(String reason) {
        List<T> entries;
        synchronized (waiting) {
            entries = new ArrayList<>(waiting);
            waiting.clear();
            running = false;
        }
        fail(entries, reason);
    }

    private void fail(List<T> entries, String reason) {
        for (T entry : entries) {
            CallbackQueue.guarded(() -> failed.accept(entry, reason));
        }
    }

    private List<T> next() {
        synchronized (waiting) {
            List<T> batch = new ArrayList<>();
            List<T> again = new ArrayList<>();
            boolean made = false;
            try {
                Set<String> keys = new HashSet<>();
                while (!waiting.isEmpty() && batch.size() < most) {
                    T entry = waiting.getFirst();
                    (keys.add(key.apply(entry)) ? batch : again).add(entry);
                    waiting.removeFirst();
                }
                made = true;
            } finally {
                waiting.addAll(again);
                if (!made) {
                    waiting.addAll(batch);
                }
            }
            running = !batch.isEmpty();
            return batch;
        }
    }
}
