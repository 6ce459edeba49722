package dev.doyen.spring;

import dev.doyen.Candidate;
import org.springframework.context.ApplicationEvent;

/**
 * Something happened in an election. Published in order, one at a time for each election, on a thread for callbacks: what
 * listens should be brief, for the end of a term is not told before its listeners have returned.
 */
public abstract sealed class ElectionApplicationEvent extends ApplicationEvent
        permits ElectedEvent, RevokedEvent, LeaderChangedEvent {

    private static final long serialVersionUID = 1;

    private final transient Candidate candidate;

    ElectionApplicationEvent(Candidate candidate) {
        super(candidate.election());
        this.candidate = candidate;
    }

    /** The election's name. */
    public String election() {
        return (String) getSource();
    }

    /** This application's candidate, to resign for instance. */
    public Candidate candidate() {
        return candidate;
    }
}
