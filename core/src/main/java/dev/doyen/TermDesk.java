package dev.doyen;

import org.jspecify.annotations.Nullable;

/** Where a thread that has work waits for a term to do it in. */
final class TermDesk {

    private @Nullable TermScope current;
    private boolean closed;

    /** Waits for a term other than the one that was just worked in; null once closed. */
    synchronized @Nullable TermScope await(@Nullable TermScope before) throws InterruptedException {
        while ((current == null || current == before) && !closed) {
            wait();
        }
        return closed ? null : current;
    }

    synchronized void open(TermScope scope) {
        current = scope;
        notifyAll();
    }

    synchronized void end(TermScope scope) {
        if (current == scope) {
            current = null;
        }
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
