package dev.doyen;

import dev.doyen.driver.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a candidate in each term: its task and its listeners.
 *
 * <p>At most one task runs at a time.
 */
final class TermWork {

    private final String election;
    private final String candidate;
    private final Threads threads;
    private final EligibilityTracker eligibility;
    private final TermQueue terms;
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();

    /** The current term; on the loop thread. */
    private @Nullable TermScope scope;

    /** @param eligibility learns whether the candidate has a task */
    TermWork(String election, String candidate, Threads threads, EligibilityTracker eligibility) {
        this.election = election;
        this.candidate = candidate;
        this.threads = threads;
        this.eligibility = eligibility;
        this.terms = new TermQueue(threads);
    }

    /** Implements {@link Candidate#whileLeading}. */
    <X extends Exception> boolean whileLeading(Candidate.LeaderTask<X> task) throws X, InterruptedException {
        if (!worker.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("a task is already running for candidate \"" + candidate + "\" of \""
                    + election + "\"; join a second time for a second task");
        }
        threads.loop(eligibility::taskBegins);
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
            threads.loop(eligibility::taskEnds);
            worker.set(null);
        }
    }

    /** A term begins; on the loop thread. */
    void begin(TermScope begun) {
        scope = begun;
        terms.open(begun);
    }

    /**
     * The term has ended; on the loop thread. A term whose begin was not reported has no work to stop.
     *
     * @param workStopped receives the term's number in that case
     * @param meanwhile runs after the scope has been ended and before the listeners are called
     */
    void end(ListenerRegistry listeners, ElectionEvent.Lost lost, LongConsumer workStopped, Runnable meanwhile) {
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
            listeners.notifyThen(l -> l.lost(cause), listenersDone);
        }
    }

    /** True on the thread of the task, while it runs or waits for a term. */
    boolean isCurrentThread() {
        return Thread.currentThread().equals(worker.get());
    }

    /** Stops waiting for terms. */
    void close() {
        terms.close();
    }
}
