package dev.doyen.spring;

import dev.doyen.election.Leadership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Admits work while a term lasts, and ends it before the lease is released (rule L6).
 *
 * <p>{@link #end} latches, interrupts and waits, in this order. Afterwards the caller can release the lease. The same
 * work runs once at a time, also across terms. Before a planned end, calls may finish: {@link #shut}, then
 * {@link #awaitCalls}.
 *
 * <p>Threads: any.
 */
final class TermGate {

    private final List<Work> working = new ArrayList<>();
    private @Nullable Leadership open;
    private boolean shut;

    /** Admits work again, after {@link #shut}. */
    synchronized void admit() {
        shut = false;
    }

    /** Admits only calls from threads that already work here, until {@link #admit}, also in new terms. */
    synchronized void shut() {
        shut = true;
    }

    /** Begins a term. */
    synchronized void open(Leadership leadership) {
        open = leadership;
    }

    /** Ends the term: admits no more work, interrupts the present work, and waits until it has ended. */
    synchronized void end() {
        open = null;
        working.forEach(Work::interrupt);
        try {
            while (!working.isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            // The waiting thread must stop at once. The lease then expires instead of being released.
            Thread.currentThread().interrupt();
        }
    }

    /** Counts the calls that end without an interrupt, without those of this thread. */
    synchronized long calls(Thread except) {
        return working.stream()
                .filter(each -> each.endsByItself() && !except.equals(each.thread))
                .count();
    }

    /**
     * Waits until there are no such {@linkplain #calls calls}.
     *
     * @param until a value of {@link System#nanoTime}
     * @return whether there are none
     */
    synchronized boolean awaitCalls(Thread except, long until) {
        try {
            while (calls(except) > 0) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            // The waiting thread must stop at once.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Admits this call if a term lasts and no other thread does the same work.
     *
     * @param what identifies the work; equal for calls that must not run concurrently
     */
    Optional<Work> enter(Object what) {
        return enter(what, false);
    }

    /** Admits work that runs for the whole term and ends when it is interrupted. */
    Optional<Work> enterForTheTerm(Object what) {
        return enter(what, true);
    }

    private synchronized Optional<Work> enter(Object what, boolean lasts) {
        Leadership leadership = open;
        Thread me = Thread.currentThread();
        boolean taken = working.stream().anyMatch(each -> each.what.equals(what) && !me.equals(each.thread));
        boolean within = working.stream().anyMatch(each -> me.equals(each.thread));
        if (leadership == null || taken || (shut && !within) || !leadership.isCertain()) {
            return Optional.empty();
        }
        var work = new Work(what, lasts, leadership, me, within);
        working.add(work);
        return Optional.of(work);
    }

    /** One call under a term. */
    final class Work {
        private final Object what;
        private final boolean lasts;
        private final Leadership leadership;
        private final boolean within;
        private @Nullable Thread thread;
        private boolean interrupted;

        /**
         * @param within whether the same thread already works here. Only the outer work is interrupted, and it clears
         *     the interrupt
         */
        private Work(Object what, boolean lasts, Leadership leadership, Thread thread, boolean within) {
            this.what = what;
            this.lasts = lasts;
            this.leadership = leadership;
            this.thread = thread;
            this.within = within;
        }

        Leadership leadership() {
            return leadership;
        }

        /** Returns whether the term is over, by its clocks or by an event. */
        boolean isOver() {
            synchronized (TermGate.this) {
                return !leadership.equals(open) || !leadership.isCertain();
            }
        }

        /** Notes that the work continues without this thread, so it cannot be interrupted. */
        void leaveThread() {
            synchronized (TermGate.this) {
                if (interrupted && !within && Thread.interrupted()) {
                    // This gate's own interrupt, which came too late for the work. The caller must not see it.
                    interrupted = false;
                }
                thread = null;
            }
        }

        void end() {
            synchronized (TermGate.this) {
                if (Thread.currentThread().equals(thread)) {
                    leaveThread();
                }
                working.remove(this);
                TermGate.this.notifyAll();
            }
        }

        /**
         * Returns whether the call ends without an interrupt.
         *
         * <p>A nested call is not counted, because it ends before the outer one, unless it continues without the
         * thread.
         */
        private boolean endsByItself() {
            return !lasts && (!within || thread == null);
        }

        private void interrupt() {
            if (thread != null && !within) {
                interrupted = true;
                thread.interrupt();
            }
        }
    }
}
