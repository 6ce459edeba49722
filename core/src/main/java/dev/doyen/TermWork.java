package dev.doyen;

import dev.doyen.driver.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The work of a candidate while it leads: one task at most, term after term, and the listeners of each term. */
final class TermWork {

    private final String election;
    private final String candidate;
    private final Threads threads;
    private final Suitability suitability;
    private final TermDesk terms;
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();

    /** The term being led, on the loop thread. */
    private @Nullable TermScope scope;

    /** @param suitability learns whether there is a task to lead for */
    TermWork(String election, String candidate, Threads threads, Suitability suitability) {
        this.election = election;
        this.candidate = candidate;
        this.threads = threads;
        this.suitability = suitability;
        this.terms = new TermDesk(threads);
    }

    /** {@link Candidate#whileLeading}. */
    <X extends Exception> boolean whileLeading(Candidate.LeaderTask<X> task) throws X, InterruptedException {
        if (!worker.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("a task is already running for candidate \"" + candidate + "\" of \""
                    + election + "\"; join a second time for a second task");
        }
        threads.loop(suitability::taskBegins);
        try {
            Optional<TermScope> term = terms.await(null);
            while (term.isPresent()) {
                if (term.get().run(task)) {
                    return true;
                }
                term = terms.await(term.get());
            }
            return false;
        } finally {
            threads.loop(suitability::taskEnds);
            worker.set(null);
        }
    }

    /** A term begins; on the loop thread. */
    void begin(TermScope begun) {
        scope = begun;
        terms.open(begun);
    }

    /**
     * The term is over; on the loop thread. A term of which nobody learnt that it began is over with nothing to stop.
     *
     * @param workStopped takes the term's number in that case
     * @param meanwhile runs once nothing starts under the term any more, before the listeners are called
     */
    void end(ListenerDesk listeners, ElectionEvent.Lost lost, LongConsumer workStopped, Runnable meanwhile) {
        LossCause cause = lost.cause();
        TermScope ending = scope;
        Runnable listenersDone;
        if (ending == null) {
            listenersDone = () -> workStopped.accept(lost.term());
        } else {
            scope = null;
            ending.end();
            listenersDone = ending::listenersDone;
        }
        try {
            meanwhile.run();
        } finally {
            listeners.tellAllThen(l -> l.lost(cause), listenersDone);
        }
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
