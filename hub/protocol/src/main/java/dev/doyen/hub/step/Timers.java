package dev.doyen.hub.step;

import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Timers in the order of their time. All operations are cheap even with many timers. */
public final class Timers {

    /** A timer that fires once. Timers with the same time fire in the order in which they were set. */
    public static final class Timer implements Comparable<Timer> {
        private final long dueNanos;
        private final long order;
        private final Consumer<StepContext> action;

        private Timer(long dueNanos, long order, Consumer<StepContext> action) {
            this.dueNanos = dueNanos;
            this.order = order;
            this.action = action;
        }

        public long dueNanos() {
            return dueNanos;
        }

        // Compare by subtraction, because nanos have an arbitrary origin and can wrap.
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.signum(dueNanos - other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final TreeSet<Timer> pending = new TreeSet<>();
    private long set;

    public Timer set(long dueNanos, Consumer<StepContext> action) {
        var timer = new Timer(dueNanos, set++, action);
        pending.add(timer);
        return timer;
    }

    /** Cancels a timer. The method does nothing if the timer has fired. */
    public void cancel(Timer timer) {
        pending.remove(timer);
    }

    /** Fires all due timers, including timers that are set during this call. */
    public void fire(StepContext step) {
        while (!pending.isEmpty() && pending.first().dueNanos - step.nanos() <= 0) {
            pending.pollFirst().action.accept(step);
        }
    }

    public OptionalLong nextNanos() {
        return pending.isEmpty() ? OptionalLong.empty() : OptionalLong.of(pending.first().dueNanos);
    }
}
