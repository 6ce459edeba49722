package dev.doyen.spring;

import dev.doyen.election.Candidate;
import org.springframework.context.ApplicationEvent;

/**
 * The base class of all events of an election.
 *
 * <p>Events of one election are published in order, one at a time, on a callback thread. Listeners should return
 * quickly, because the end of a term is published only after the listeners of earlier events have returned.
 */
public abstract sealed class ElectionApplicationEvent extends ApplicationEvent
        permits ElectedEvent, RevokedEvent, LeaderChangedEvent {

    private static final long serialVersionUID = 1;

    private final transient Candidate<?> candidate;

    ElectionApplicationEvent(Candidate<?> candidate) {
        super(candidate.election());
        this.candidate = candidate;
    }

    /** Returns the election's name. */
    public String election() {
        return (String) getSource();
    }

    /** Returns this application's candidate. */
    public Candidate<?> candidate() {
        return candidate;
    }
}
