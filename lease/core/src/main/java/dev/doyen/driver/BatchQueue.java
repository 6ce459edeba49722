package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.lease.StoreFault;
import java.time.Duration;
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
 * <p>If the work hangs, entries wait. An entry that has waited for longer than the maximum wait is reported as failed
 * when a later entry arrives. So the queue stays short even if the work hangs.
 *
 * <p>Each entry is processed or reported as failed, even if no thread can be started. If the work throws an exception,
 * all entries of the batch are reported as failed, even entries that the work has processed. After such a failure, the
 * queue accepts further entries.
 */
final class BatchQueue<T> {

    /** The maximum number of entries in a batch. */
    static final int MAX_BATCH = 500;

    private static final StoreFault LATE = StoreFault.away("it has waited for longer than the request timeout");

    private final Threads threads;
    private final long maxWaitNanos;
    private final Function<T, String> key;
    private final Consumer<List<T>> work;
    private final BiConsumer<T, StoreFault> failed;
    private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
    private boolean running;

    private record Waiting<T>(T entry, long sinceNanos) {}

    /**
     * @param maxWait the time after which nobody needs the result of an entry
     * @param failed the callback that receives an entry and the fault if the entry was not processed, or if
     *     {@code work} threw an exception for the batch with this entry
     */
    BatchQueue(
            Threads threads,
            Duration maxWait,
            Function<T, String> key,
            Consumer<List<T>> work,
            BiConsumer<T, StoreFault> failed) {
        this.threads = threads;
        this.maxWaitNanos = maxWait.toNanos();
        this.key = key;
        this.work = work;
        this.failed = failed;
    }

    void add(T entry) {
        long nowNanos = threads.now().nanos();
        List<T> late;
        boolean starts;
        synchronized (waiting) {
            late = removeLate(nowNanos);
            waiting.add(new Waiting<>(entry, nowNanos));
            starts = !running;
            running = true;
        }
        fail(late, LATE);
        if (!starts) {
            return;
        }
        // The loop thread first runs its waiting tasks and then starts the drain. So entries that these tasks add go
        // into the same batch.
        startOrFail(() -> threads.loop(this::start));
    }

    private List<T> removeLate(long nowNanos) {
        List<T> late = new ArrayList<>();
        while (!waiting.isEmpty() && nowNanos - waiting.getFirst().sinceNanos() > maxWaitNanos) {
            late.add(waiting.removeFirst().entry());
        }
        return late;
    }

    private void start() {
        startOrFail(() -> threads.store(this::drain));
    }

    private void startOrFail(BooleanSupplier start) {
        StoreFault fault = StoreExecutor.BUSY;
        boolean accepted = false;
        try {
            accepted = start.getAsBoolean();
        } catch (Throwable e) {
            fault = ThrownFaults.of(e);
        }
        if (!accepted) {
            stop(fault);
        }
    }

    private void drain() {
        try {
            for (List<T> batch = next(); !batch.isEmpty(); batch = next()) {
                work(batch);
            }
        } catch (Throwable e) {
            stop(ThrownFaults.of(e));
        }
    }

    private void work(List<T> batch) {
        try {
            work.accept(batch);
        } catch (Throwable e) {
            fail(batch, ThrownFaults.of(e));
        }
    }

    /** Fails all waiting entries. The next {@link #add} starts the queue again. */
    private void stop(StoreFault fault) {
        List<T> entries;
        synchronized (waiting) {
            entries = waiting.stream().map(Waiting::entry).toList();
            waiting.clear();
            running = false;
        }
        fail(entries, fault);
    }

    private void fail(List<T> entries, StoreFault fault) {
        for (T entry : entries) {
            CallbackQueue.guarded(() -> failed.accept(entry, fault));
        }
    }

    private List<T> next() {
        synchronized (waiting) {
            List<Waiting<T>> batch = new ArrayList<>();
            List<Waiting<T>> again = new ArrayList<>();
            boolean made = false;
            try {
                Set<String> keys = new HashSet<>();
                while (!waiting.isEmpty() && batch.size() < MAX_BATCH) {
                    Waiting<T> next = waiting.getFirst();
                    (keys.add(key.apply(next.entry())) ? batch : again).add(next);
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
            return batch.stream().map(Waiting::entry).toList();
        }
    }
}
