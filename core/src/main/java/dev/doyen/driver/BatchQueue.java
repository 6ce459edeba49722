package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A queue that is emptied in batches by at most one thread at a time; no batch has two entries of one key. */
final class BatchQueue<T> {

    private final Threads threads;
    private final int most;
    private final Function<T, String> key;
    private final Consumer<List<T>> work;
    private final BiConsumer<List<T>, String> failed;
    private final Deque<T> waiting = new ArrayDeque<>();
    private boolean running;

    /** @param failed takes the batch that {@code work} threw over, with the reason; must not throw */
    BatchQueue(
            Threads threads,
            int most,
            Function<T, String> key,
            Consumer<List<T>> work,
            BiConsumer<List<T>, String> failed) {
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
        // After all that the loop has to do already: what falls due together is sent together.
        if (!threads.loop(this::start)) {
            refuse();
        }
    }

    private void start() {
        if (!threads.store(this::drain)) {
            refuse();
        }
    }

    private void refuse() {
        List<T> refused;
        synchronized (waiting) {
            refused = new ArrayList<>(waiting);
            waiting.clear();
            running = false;
        }
        failed.accept(refused, StoreDesk.BUSY);
    }

    private void drain() {
        for (List<T> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                work.accept(batch);
            } catch (RuntimeException e) {
                failed.accept(batch, e.toString());
            }
        }
    }

    private List<T> next() {
        synchronized (waiting) {
            List<T> batch = new ArrayList<>();
            List<T> again = new ArrayList<>();
            Set<String> keys = new HashSet<>();
            while (!waiting.isEmpty() && batch.size() < most) {
                T entry = waiting.removeFirst();
                (keys.add(key.apply(entry)) ? batch : again).add(entry);
            }
            waiting.addAll(again);
            running = !batch.isEmpty();
            return batch;
        }
    }
}
