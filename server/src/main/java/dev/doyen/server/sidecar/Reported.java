package dev.doyen.server.sidecar;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.util.Optional;

/**
 * Whom this sidecar names as the leader. Immutable.
 *
 * <p>It names its own candidate only while that leads, and from the beginning of its end not any more: apps are to stop
 * before the lease is given back. A record with the own id that is not the own candidate's (of this container before
 * its restart) names nobody.
 *
 * @param named whom to name, if it is not the own candidate, or that holds
 * @param ownTerm the last term of the own candidate; 0 before the first
 * @param silent whether the own candidate is not named any more, for it is leaving
 */
public record Reported(Mode mode, String ownId, Optional<Leader> named, long ownTerm, boolean silent) {

    public static Reported begin(Mode mode, String ownId) {
        return new Reported(mode, ownId, Optional.empty(), 0, false);
    }

    /** The same in the mode for life, whatever mode was asked for: nothing is known yet that would have to be forgotten. */
    public Reported forLife() {
        return new Reported(Mode.LIFE, ownId, named, ownTerm, silent);
    }

    /** The election's news: this leader is known, or none is. */
    public Reported seen(Optional<Leader> leader) {
        if (leader.isEmpty()) {
            return mode == Mode.LIFE ? this : naming(leader);
        }
        boolean foreign = !leader.get().id().equals(ownId);
        if (foreign || leader.get().term() == ownTerm) {
            return naming(leader);
        }
        return mode == Mode.LIFE && isOwn(named) ? this : naming(Optional.empty());
    }

    /** The own candidate leads. */
    public Reported elected(long term) {
        return new Reported(mode, ownId, Optional.of(new Leader(ownId, term)), term, silent);
    }

    /** The own candidate leads no more. In the mode for life only a will ends what is said, or another leader. */
    public Reported lost(LossCause cause) {
        boolean byClock = cause == LossCause.EXPIRED || cause == LossCause.SUSPENDED || cause == LossCause.SUPERSEDED;
        if (!isOwn(named) || (mode == Mode.LIFE && byClock)) {
            return this;
        }
        return naming(Optional.empty());
    }

    /** The own candidate is leaving. */
    public Reported silenced() {
        return new Reported(mode, ownId, named, ownTerm, true);
    }

    /**
     * Whom to name now.
     *
     * @param ownLeads whether the own candidate leads by both its clocks, read now
     */
    public Optional<Leader> told(boolean ownLeads) {
        if (isOwn(named) && (silent || (mode == Mode.LEASE && !ownLeads))) {
            return Optional.empty();
        }
        return named;
    }

    private boolean isOwn(Optional<Leader> leader) {
        return leader.isPresent() && leader.get().id().equals(ownId);
    }

    private Reported naming(Optional<Leader> leader) {
        return new Reported(mode, ownId, leader, ownTerm, silent);
    }
}
