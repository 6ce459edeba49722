package dev.doyen.spring;

import dev.doyen.Candidate;
import dev.doyen.event.LossCause;

/**
 * This application does not lead any more.
 *
 * <p>The term's {@link LeaderOnly} and {@link OnElected} methods have returned. The lease is released after all
 * listeners have returned.
 */
public final class RevokedEvent extends ElectionApplicationEvent {

    private static final long serialVersionUID = 1;

    private final long term;
    private final LossCause cause;

    public RevokedEvent(Candidate candidate, long term, LossCause cause) {
        super(candidate);
        this.term = term;
        this.cause = cause;
    }

    /** Returns the term that has ended. */
    public long term() {
        return term;
    }

    public LossCause cause() {
        return cause;
    }
}
