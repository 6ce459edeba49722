package dev.doyen.spring;

import dev.doyen.election.Leadership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Admits work during a term, and ends all work before the release (rule L6).
 *
 * <p>{@link #end} first rejects new work, then interrupts or cancels the present work, and then waits until this work
 * has ended. Afterwards the caller can release the lease. Work with the same key never runs twice at the same time,
 * except in a nested call. This also holds if work of an earlier term still runs. Before a planned end, the caller can
 * let calls finish with {@link #shut} and {@link #awaitCalls}.
 *
 * <p>Threads: the methods may be called on any thread.
 */
final class TermGate {

    private final List<Work> working = new ArrayList<>();
    private @Nullable Leadership open;
    private boolean shut;

    /** Admits work again, after {@link #shut}. */
    synchronized void admit() {
        shut = false;
    }

    /**
     * Rejects all calls until {@link #admit}, except nested calls. A nested call comes from a thread that already does
     * admitted work. A new term does not end this restriction.
     */
    synchronized void shut() {
        shut = true;
    }

    /** Begins a term. */
    synchronized void open(Leadership leadership) {
        open = leadership;
    }

    /**
     * Ends the term. The method rejects new work, interrupts or cancels the present work, and waits until that work has
     * ended. An interrupt of the caller ends the wait.
     */
    void end() {
        // A cancellation runs code of the application, so it does not run under the lock.
        interruptAll().forEach(Runnable::run);
        awaitAll();
    }

    /** Ends the term, interrupts the work that has a thread, and returns the cancellations of the other work. */
    private synchronized List<Runnable> interruptAll() {
        open = null;
        working.forEach(Work::interrupt);
        return working.stream().flatMap(each -> each.cancellation.stream()).toList();
    }

    private synchronized void awaitAll() {
        try {
            while (!working.isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            // An interrupted caller must return at once, even if the work has not ended.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the number of running calls that a planned end has to wait for. Calls of the thread {@code except} do not
     * count.
     */
    synchronized long calls(Thread except) {
        return working.stream()
                .filter(each -> each.delaysPlannedEnd() && !except.equals(each.thread))
                .count();
    }

    /**
     * Waits until {@link #calls} returns 0.
     *
     * @param until the end of the wait, as a value of {@link System#nanoTime}
     * @return true if all calls have ended in time
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
            // An interrupted caller must return at once.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Admits a call if the leadership is certain and the key is free. The key is taken while another thread or a stage
     * does work with this key. After {@link #shut}, the method admits only nested calls.
     *
     * @param what the key of the work, which is equal for calls that must not run concurrently
     */
    Optional<Work> enter(Object what) {
        return enter(what, false);
    }

    /** Admits work that may run for the whole term. Such work must end when it is interrupted. */
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

    /** One call of a method during a term. */
    final class Work {
        private final Object what;
        private final boolean lasts;
        private final Leadership leadership;
        private final boolean within;
        private @Nullable Thread thread;
        private Optional<Runnable> cancellation = Optional.empty();
        private boolean interrupted;

        /**
         * @param within true if the work is nested in other work of the same thread. Only the outer work is
         *     interrupted and clears the interrupt
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

        /** Returns true if the term has ended or if its leadership is no longer certain. */
        boolean isOver() {
            synchronized (TermGate.this) {
                return !leadership.equals(open) || !leadership.isCertain();
            }
        }

        /**
         * Sets what cancels the work when the term ends. If the term has ended already, the cancellation runs at once.
         *
         * @param cancel runs on any thread, and must not throw
         */
        void cancelWith(Runnable cancel) {
            synchronized (TermGate.this) {
                if (leadership.equals(open)) {
                    cancellation = Optional.of(cancel);
                    return;
                }
            }
            cancel.run();
        }

        /** Records that the work continues without this thread. Such work cannot be interrupted. */
        void leaveThread() {
            synchronized (TermGate.this) {
                if (interrupted && !within && Thread.interrupted()) {
                    // The interrupt of this gate arrived too late for the work. It is cleared, because it must not
                    // reach the caller.
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
         * Returns true if a planned end has to wait for this work.
         *
         * <p>Work that lasts for the whole term can run until an interrupt, so a planned end does not wait for it. A
         * nested call ends before its outer call, so a wait for the outer call is enough. A nested call that continues
         * without its thread can end later than the outer call.
         */
        private boolean delaysPlannedEnd() {
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
