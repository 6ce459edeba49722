package dev.doyen.spring;

import dev.doyen.Leadership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets work in while a term lasts. Ends by latch, interrupt and waiting, in this order, so that whoever waits for
 * {@link #end} can give the lease back (rule L6). What works here is entered once at a time, also from term to term. Before
 * an end that is planned, calls may end by themselves: {@link #shut}, then {@link #awaitCalls}.
 *
 * <p>Threads: any.
 */
final class TermGate {

    private final List<Work> working = new ArrayList<>();
    private @Nullable Leadership open;
    private boolean shut;

    /** Lets work in again after {@link #shut}. */
    synchronized void admit() {
        shut = false;
    }

    /** Lets nobody in any more but who is within already, until {@link #admit}, whatever terms begin. */
    synchronized void shut() {
        shut = true;
    }

    /** A term begins. */
    synchronized void open(Leadership leadership) {
        open = leadership;
    }

    /** The term is over: nothing enters any more, what is within is interrupted, and waited for. */
    synchronized void end() {
        open = null;
        working.forEach(Work::interrupt);
        try {
            while (!working.isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            // Whoever waits is to stop at once: the lease then runs out instead of being given back.
            Thread.currentThread().interrupt();
        }
    }

    /** How many calls are within that end by themselves, leaving out those of this thread. */
    synchronized long calls(Thread except) {
        return working.stream()
                .filter(each -> each.endsByItself() && !except.equals(each.thread))
                .count();
    }

    /**
     * Waits until there are none of these {@linkplain #calls calls}.
     *
     * @param until by the clock of {@link System#nanoTime}
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
            // Whoever waits is to stop at once.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Lets this call in, if a term lasts and nobody else is at the same work.
     *
     * @param what the work; equal for what may run once at a time
     */
    Optional<Work> enter(Object what) {
        return enter(what, false);
    }

    /** The same for work that lasts as long as its term, and ends because it is interrupted. */
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

        /** @param within whether the same thread works here already: that outer work is interrupted, and tidies up */
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

        /** True once the term is over, by its clocks or by what happened. */
        boolean isOver() {
            synchronized (TermGate.this) {
                return !leadership.equals(open) || !leadership.isCertain();
            }
        }

        /** The work goes on elsewhere, where it cannot be interrupted. */
        void leaveThread() {
            synchronized (TermGate.this) {
                if (interrupted && !within && Thread.interrupted()) {
                    // Our own interrupt, which came too late to be seen: it is not the caller's.
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

        /** A call within another ends before that does, unless it goes on elsewhere. */
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
