package dev.doyen.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Records events in the order of their arrival, with their times. Every time is a {@link System#nanoTime}. Threads:
 * any.
 */
final class Arrivals<T extends Arrivals.Arrival> {

    private static final int MAX_SHOWN = 8;

    private final List<T> all = new ArrayList<>();

    /** An event that arrived at this {@link System#nanoTime}. */
    interface Arrival {
        long nanos();
    }

    /**
     * Records an arrival now.
     *
     * @param at creates the arrival from its time
     */
    synchronized void note(LongFunction<T> at) {
        all.add(at.apply(System.nanoTime()));
        notifyAll();
    }

    synchronized List<T> all() {
        return List.copyOf(all);
    }

    /**
     * Returns the first matching arrival at or after {@code fromNanos}. Fails if none arrives within {@code
     * patienceMillis}.
     */
    synchronized T await(String what, long fromNanos, long patienceMillis, Predicate<T> condition)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        int next = 0;
        while (true) {
            for (; next < all.size(); next++) {
                T arrival = all.get(next);
                if (arrival.nanos() - fromNanos >= 0 && condition.test(arrival)) {
                    return arrival;
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + patienceMillis + " ms; the last events are "
                        + all.subList(Math.max(0, all.size() - MAX_SHOWN), all.size()));
            }
            wait(left);
        }
    }
}
