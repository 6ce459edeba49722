package dev.doyen.sidecar;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.util.Optional;

/**
 * Decides which leader this sidecar reports. Immutable.
 *
 * <p>It reports its own candidate only while that leads, and not after its shutdown has begun, because apps must stop
 * before the lease is released. A record with its own id but another incarnation, from this container before its
 * restart, counts as no leader.
 *
 * @param named the leader to report if it is another candidate, or if its own candidate is certain
 * @param ownTerm the last term of its own candidate; 0 before the first
 * @param silent whether the shutdown has begun, so that its own candidate is not reported
 */
public record Reported(Mode mode, String ownId, Optional<Leader> named, long ownTerm, boolean silent) {

    public static Reported begin(Mode mode, String ownId) {
        return new Reported(mode, ownId, Optional.empty(), 0, false);
    }

    /** Switches to {@link Mode#NON_EXPIRING}. Call it before anything is known. */
    public Reported nonExpiring() {
        return new Reported(Mode.NON_EXPIRING, ownId, named, ownTerm, silent);
    }

    /** The election reports this leader, or none. */
    public Reported seen(Optional<Leader> leader) {
        if (leader.isEmpty()) {
            return mode == Mode.NON_EXPIRING ? this : naming(leader);
        }
        boolean foreign = !leader.get().id().equals(ownId);
        if (foreign || leader.get().term() == ownTerm) {
            return naming(leader);
        }
        return mode == Mode.NON_EXPIRING && isOwn(named) ? this : naming(Optional.empty());
    }

    /** This sidecar's candidate leads. */
    public Reported elected(long term) {
        return new Reported(mode, ownId, Optional.of(new Leader(ownId, term)), term, silent);
    }

    /**
     * This sidecar's candidate has lost the leadership.
     *
     * <p>In {@link Mode#NON_EXPIRING}, only a deliberate end or another leader changes what is reported.
     */
    public Reported lost(LossCause cause) {
        boolean byClock = cause == LossCause.EXPIRED || cause == LossCause.SUSPENDED || cause == LossCause.SUPERSEDED;
        if (!isOwn(named) || (mode == Mode.NON_EXPIRING && byClock)) {
            return this;
        }
        return naming(Optional.empty());
    }

    /** The shutdown has begun. */
    public Reported silenced() {
        return new Reported(mode, ownId, named, ownTerm, true);
    }

    /**
     * Returns the leader to report now.
     *
     * @param ownLeads whether this sidecar's candidate leads by both of its clocks, read now
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
