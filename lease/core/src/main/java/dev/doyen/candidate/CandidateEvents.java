package dev.doyen.candidate;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.event.ElectionEvent;

/** Passes the events of a loop to the candidate's work, listeners and unconfirmed saves. Loop thread only. */
public final class CandidateEvents<L extends Leadership> implements ElectionEvent.Cases {

    private final String election;
    private final TermWork<L> work;
    private final Saves saves;
    private final ListenerRegistry<L> listeners;
    private final Terms<L> terms;

    /** Begins and ends the terms of one candidate. */
    public interface Terms<L extends Leadership> {

        /** Returns the leadership of a term that begins. Called on the loop thread. */
        L begin(ElectionEvent.Elected event);

        /**
         * Resigns {@code term} if the candidate still leads in it, and waits until the resignation is complete.
         *
         * <p>The wait is limited, because a listener or the store can hang.
         */
        void resignAndWait(long term);

        /**
         * Reports that {@code term} has ended and all its work has stopped. Called once for each term, on any thread.
         */
        void workStopped(long term);
    }

    public CandidateEvents(
            String election, TermWork<L> work, Saves saves, ListenerRegistry<L> listeners, Terms<L> terms) {
        this.election = election;
        this.work = work;
        this.saves = saves;
        this.listeners = listeners;
        this.terms = terms;
    }

    @Override
    public void elected(ElectionEvent.Elected event) {
        L leadership = terms.begin(event);
        work.begin(new TermScope<>(election, leadership, event.term(), terms::resignAndWait, terms::workStopped));
        listeners.notifyLater(l -> l.elected(leadership));
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {
        listeners.notifyLatest("doubt", l -> l.jeopardy(event.remaining(), event.reason()));
    }

    @Override
    public void recovered(ElectionEvent.Recovered event) {
        listeners.notifyLatest("doubt", ElectionListener::recovered);
    }

    @Override
    public void lost(ElectionEvent.Lost event) {
        // The scope of the term ends first, then the pending saves fail, then the listeners are called. So when a save
        // of a task fails, the term of the task has already ended.
        work.end(listeners, event, terms::workStopped, () -> saves.termEnded(election, event.term()));
    }

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {
        listeners.notifyLater(l -> l.overlapped(event.term(), event.by()));
    }

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        listeners.leaderChanged(event);
    }
}
