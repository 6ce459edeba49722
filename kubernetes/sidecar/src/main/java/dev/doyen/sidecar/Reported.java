package dev.doyen.sidecar;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.util.Optional;

/**
 * Decides which leader this sidecar reports. Immutable.
 *
 * <p>In {@link Mode#LEASE}, the sidecar reports its own candidate only while that candidate leads. In every mode, the
 * sidecar stops reporting its own candidate when the shutdown begins, because apps must stop before the lease is
 * released. After a restart of the container, the lease record can contain the sidecar's own id with the earlier
 * incarnation. Such a record counts as no leader.
 *
 * @param named the last known leader. This leader can be the sidecar's own candidate only in a term that the candidate
 *     acquired in this process
 * @param ownTerm the last term of the sidecar's own candidate; 0 before its first term
 * @param silent true if the shutdown has begun, so that the sidecar does not report its own candidate
 */
public record Reported(Mode mode, String ownId, Optional<Leader> named, long ownTerm, boolean silent) {

    public static Reported begin(Mode mode, String ownId) {
        return new Reported(mode, ownId, Optional.empty(), 0, false);
    }

    /**
     * Returns the state with {@link Mode#NON_EXPIRING}. The caller must call this method before the first observation.
     */
    public Reported nonExpiring() {
        return new Reported(Mode.NON_EXPIRING, ownId, named, ownTerm, silent);
    }

    /** Records the leader that the election reports; {@code leader} is empty if no candidate leads. */
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

    /** Records that this sidecar's candidate leads. */
    public Reported elected(long term) {
        return new Reported(mode, ownId, Optional.of(new Leader(ownId, term)), term, silent);
    }

    /**
     * Records that this sidecar's candidate has lost the leadership.
     *
     * <p>In {@link Mode#NON_EXPIRING}, the causes {@code EXPIRED}, {@code SUSPENDED} and {@code SUPERSEDED} do not
     * change the reported leader. If another candidate leads, {@link #seen} changes it.
     */
    public Reported lost(LossCause cause) {
        boolean byClock = cause == LossCause.EXPIRED || cause == LossCause.SUSPENDED || cause == LossCause.SUPERSEDED;
        if (!isOwn(named) || (mode == Mode.NON_EXPIRING && byClock)) {
            return this;
        }
        return naming(Optional.empty());
    }

    /** Records that the shutdown has begun. */
    public Reported withoutOwnCandidate() {
        return new Reported(mode, ownId, named, ownTerm, true);
    }

    /**
     * Returns the leader to report now.
     *
     * @param ownLeads true if this sidecar's candidate leads now according to the monotonic clock and the wall clock
     */
    public Optional<Leader> reportedLeader(boolean ownLeads) {
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
