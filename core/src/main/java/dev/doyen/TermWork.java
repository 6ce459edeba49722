package dev.doyen;

import dev.doyen.event.LossCause;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What a candidate does while it leads: one task at most, term after term, and the listeners of each. */
final class TermWork {

    private final String election;
    private final String candidate;
    private final TermDesk terms = new TermDesk();
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();

    /** The term being led, on the loop thread. */
    private @Nullable TermScope scope;

    TermWork(String election, String candidate) {
        this.election = election;
        this.candidate = candidate;
    }

    /** {@link Candidate#whileLeading}. */
    <X extends Exception> boolean whileLeading(Candidate.LeaderTask<X> task) throws X, InterruptedException {
        if (!worker.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("a task is already running for candidate \"" + candidate + "\" of \""
                    + election + "\"; join a second time for a second task");
        }
        try {
            TermScope term = terms.await(null);
            while (term != null) {
                if (term.run(task)) {
                    return true;
                }
                term = terms.await(term);
            }
            return false;
        } finally {
            worker.set(null);
        }
    }

    /** A term begins; on the loop thread. */
    void begin(TermScope begun) {
        scope = begun;
        terms.open(begun);
    }

    /**
     * The term is over; on the loop thread.
     *
     * @param meanwhile run once nothing starts under the term any more, before the listeners hear of it
     */
    void end(ListenerDesk listeners, LossCause cause, Runnable meanwhile) {
        TermScope ending = Objects.requireNonNull(scope, "lost without elected");
        scope = null;
        terms.end(ending);
        ending.end();
        meanwhile.run();
        listeners.tellAllThen(l -> l.lost(cause), ending::listenersDone);
    }

    /** True on the thread of the task, while it runs or waits for a term. */
    boolean isCurrentThread() {
        return Thread.currentThread().equals(worker.get());
    }

    /** No term is waited for any more. */
    void close() {
        terms.close();
    }
}
