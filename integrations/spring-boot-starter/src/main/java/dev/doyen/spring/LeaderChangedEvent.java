package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.event.Leader;
import java.util.Optional;

/** Reports that the known leader has changed or that no leader is known. */
public final class LeaderChangedEvent extends ElectionApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient Optional<Leader> leader;

    public LeaderChangedEvent(Candidate<?> candidate, Optional<Leader> leader) {
        super(candidate);
        this.leader = leader;
    }

    public Optional<Leader> leader() {
        return leader;
    }
}
