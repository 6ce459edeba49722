package dev.doyen.hub;

import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What is to happen later, soonest first. Setting, cancelling and asking for the soonest are cheap with many timers. */
final class Timers {

    /** Something that happens once. Those due at the same nanosecond happen in the order they were set. */
    static final class Timer implements Comparable<Timer> {
        private final long dueNanos;
        private final long order;
        private final Consumer<Turn> action;

        private Timer(long dueNanos, long order, Consumer<Turn> action) {
            this.dueNanos = dueNanos;
            this.order = order;
            this.action = action;
        }

        long dueNanos() {
            return dueNanos;
        }

        // Nanos have an arbitrary origin and may wrap, so they are compared by subtraction.
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.signum(dueNanos - other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final TreeSet<Timer> pending = new TreeSet<>();
    private long set;

    Timer set(long dueNanos, Consumer<Turn> action) {
        var timer = new Timer(dueNanos, set++, action);
        pending.add(timer);
        return timer;
    }

    /** Harmless for a timer that has happened. */
    void cancel(Timer timer) {
        pending.remove(timer);
    }

    /** Lets everything happen that is due, what is set meanwhile included. */
    void fire(Turn turn) {
        while (!pending.isEmpty() && pending.first().dueNanos - turn.nanos() <= 0) {
            pending.pollFirst().action.accept(turn);
        }
    }

    OptionalLong nextNanos() {
        return pending.isEmpty() ? OptionalLong.empty() : OptionalLong.of(pending.first().dueNanos);
    }
}
