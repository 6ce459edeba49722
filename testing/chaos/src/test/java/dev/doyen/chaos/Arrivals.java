package dev.doyen.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/** Records what arrives, in order of arrival, with stamps of one clock. Threads: any. */
final class Arrivals<T extends Arrivals.Arrival> {

    private static final int TOLD = 8;

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

    /** Waits for an arrival after {@code fromNanos} that matches, and fails after {@code patienceMillis}. */
    synchronized T await(String what, long fromNanos, long patienceMillis, Predicate<T> wanted)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        int next = 0;
        while (true) {
            for (; next < all.size(); next++) {
                T arrival = all.get(next);
                if (arrival.nanos() - fromNanos >= 0 && wanted.test(arrival)) {
                    return arrival;
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + patienceMillis + " ms; the last were "
                        + all.subList(Math.max(0, all.size() - TOLD), all.size()));
            }
            wait(left);
        }
    }
}
