package dev.doyen.candidate;

import dev.doyen.driver.ShutdownHook;
import dev.doyen.election.Leadership;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a candidate in each term: the task and the listener calls.
 *
 * <p>At most one task runs at a time.
 */
public final class TermWork<L extends Leadership> {

    private final String election;
    private final String candidate;
    private final Threads threads;
    private final EligibilityTracker eligibility;
    private final TermQueue<L> terms;
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();

    /** The scope of the current term. Only the loop thread uses this field. */
    private @Nullable TermScope<L> scope;

    /** @param eligibility the tracker that is notified when a task begins or ends */
    public TermWork(String election, String candidate, Threads threads, EligibilityTracker eligibility) {
        this.election = election;
        this.candidate = candidate;
        this.threads = threads;
        this.eligibility = eligibility;
        this.terms = new TermQueue<>(threads);
    }

    /** Implements {@link LocalCandidate#whileLeading}. */
    public <X extends Exception> boolean whileLeading(LocalCandidate.LeaderTask<? super L, X> task)
            throws X, InterruptedException {
        if (!worker.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("a task is already running for candidate \"" + candidate + "\" of \""
                    + election + "\"; join a second time for a second task");
        }
        threads.loop(eligibility::taskBegins);
        try {
            Optional<TermScope<L>> term = terms.await(null);
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

    /** Begins the work of a term. Called on the loop thread. */
    public void begin(TermScope<L> begun) {
        scope = begun;
        terms.open(begun);
    }

    /**
     * Ends the work of the term. Called on the loop thread.
     *
     * <p>If {@link #begin} was not called for the term, the term has no work to stop. In this case the method itself
     * calls {@code workStopped} after the listeners have returned. Otherwise the scope of the term reports the stop.
     *
     * @param workStopped the callback that receives the number of a term without work
     * @param meanwhile the action that runs after the scope has ended and before the listeners are called
     */
    public void end(
            ListenerRegistry<L> listeners, ElectionEvent.Lost lost, LongConsumer workStopped, Runnable meanwhile) {
        LossCause cause = lost.cause();
        TermScope<L> ending = scope;
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

    /**
     * Returns true if {@link #whileLeading} waits for the calling thread: the calling thread runs this method, or the
     * task waits in {@link System#exit}.
     */
    public boolean waitsForCaller() {
        return ShutdownHook.waitsForCaller(worker.get());
    }

    /** Ends the wait of {@link #whileLeading} for a term. */
    public void close() {
        terms.close();
    }
}
