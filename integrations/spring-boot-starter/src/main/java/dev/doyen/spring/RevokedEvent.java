package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.Leadership;
import dev.doyen.event.LossCause;

/**
 * Reports that this application no longer leads.
 *
 * <p>The term's {@link LeaderOnly} and {@link OnElected} methods have returned. The lease is released after all
 * listeners have returned.
 */
public final class RevokedEvent extends ElectionApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient Leadership leadership;
    private final LossCause cause;

    public RevokedEvent(Candidate<?> candidate, Leadership leadership, LossCause cause) {
        super(candidate);
        this.leadership = leadership;
        this.cause = cause;
    }

    /** Returns the leadership that has ended. */
    public Leadership leadership() {
        return leadership;
    }

    public LossCause cause() {
        return cause;
    }
}
