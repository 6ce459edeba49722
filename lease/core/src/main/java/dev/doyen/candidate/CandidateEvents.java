package dev.doyen.candidate;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.event.ElectionEvent;

/** Passes the events of a candidate's loop to its work, its saves and its listeners. Loop thread only. */
public final class CandidateEvents<L extends Leadership> implements ElectionEvent.Cases {

    private final String election;
    private final TermWork<L> work;
    private final Saves saves;
    private final ListenerRegistry<L> listeners;
    private final Terms<L> terms;

    /** The terms of one candidate. */
    public interface Terms<L extends Leadership> {

        /** Returns the leadership of a term that begins. Loop thread. */
        L begin(ElectionEvent.Elected event);

        /** Resigns the term of this number if the candidate still leads in it, and waits for a limited time. */
        void resignAndWait(long term);

        /** The term of this number has ended, and nothing works under it any more. Any thread, once for each term. */
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
        // End the saves before the listeners are called: a task whose save fails must find that its term has ended.
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
