package dev.doyen.stores.quorum;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The virtual time of a {@link QuorumWorld}. This class runs actions in the order of their times, in one thread. */
final class WorldEvents {

    private record Event(long at, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long now = 1_000;
    private long numbers;

    /** Returns the virtual time in milliseconds. */
    long now() {
        return now;
    }

    void after(long millis, Runnable action) {
        events.add(new Event(now + Math.max(0, millis), numbers++, action));
    }

    void run(long millis) {
        long end = now + millis;
        while (!events.isEmpty() && events.peek().at <= end) {
            Event event = events.poll();
            now = Math.max(now, event.at);
            event.action.run();
        }
        now = end;
    }
}
