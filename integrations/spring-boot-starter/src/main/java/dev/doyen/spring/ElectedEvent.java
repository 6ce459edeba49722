package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.Leadership;

/** Reports that this application has become the leader. */
public final class ElectedEvent extends ElectionApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient Leadership leadership;

    public ElectedEvent(Candidate<?> candidate, Leadership leadership) {
        super(candidate);
        this.leadership = leadership;
    }

    public Leadership leadership() {
        return leadership;
    }
}
