package dev.doyen.ranking;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Simulated time: things happen in order of time, and at one time in the order they were asked for. */
final class Timeline {

    static final long MILLI = 1_000_000;

    private record Entry(long at, long order, Runnable what) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::order));
    private long order;

    /** In nanoseconds. */
    long now;

    long millis() {
        return now / MILLI;
    }

    void at(long nanos, Runnable what) {
        entries.add(new Entry(Math.max(nanos, now), ++order, what));
    }

    void after(long millis, Runnable what) {
        at(now + millis * MILLI, what);
    }

    /** Runs everything up to then; looks after each thing that happened. */
    void runUntil(long millis, Runnable look) {
        while (!entries.isEmpty() && entries.peek().at() <= millis * MILLI) {
            Entry entry = entries.remove();
            now = entry.at();
            entry.what().run();
            look.run();
        }
        now = millis * MILLI;
    }
}
