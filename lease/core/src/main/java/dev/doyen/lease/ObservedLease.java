package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The state of an election, as a program observes it without being a candidate.
 *
 * <p>The program reads the lease and, if the lease is held under a session, the record of the session. This class
 * applies the rules of the candidates to these records (L2, L12). Immutable. All times are readings of the program's
 * monotonic clock, in nanoseconds.
 */
public final class ObservedLease {

    /** The state before the first read. */
    public static final ObservedLease NONE = new ObservedLease(ObservedRecord.NONE, ObservedRecord.NONE, false);

    private final ObservedRecord lease;
    private final ObservedRecord session;
    private final boolean alive;

    private ObservedLease(ObservedRecord lease, ObservedRecord session, boolean alive) {
        this.lease = lease;
        this.session = session;
        this.alive = alive;
    }

    /**
     * Returns the state after one more read.
     *
     * @param found the lease
     * @param sessionFound the record of the session that the lease names; empty if the lease names no session
     * @param nanos the time at which the last answer was received
     */
    public ObservedLease seeing(VersionedLease found, Optional<VersionedLease> sessionFound, long nanos) {
        Moment now = at(nanos);
        ObservedRecord nextLease = lease.seeing(found, now);
        boolean sameSession = sessionName(lease).equals(sessionName(nextLease));
        ObservedRecord before = sameSession ? session : ObservedRecord.NONE;
        ObservedRecord nextSession =
                sessionFound.map(read -> before.seeing(read, now)).orElse(ObservedRecord.NONE);
        return new ObservedLease(
                nextLease, nextSession, alive || nextLease.isWrittenSince(lease) || nextSession.isWrittenSince(before));
    }

    /** Returns true if the lease has a holder whose session has not ended. A holder without a session also counts. */
    public boolean isHeld() {
        return lease.isHeld()
                && !lease.epoch()
                        .flatMap(epoch -> session().map(seen -> seen.hasEnded(epoch.term())))
                        .orElse(false);
    }

    /**
     * Returns true if the lease is held, but its holder is silent. A holder is silent if it has not renewed for the ttl
     * (rule L2).
     */
    public boolean isSilentAt(long nanos) {
        return isHeld() && lease.leaderAt(at(nanos), sessions()).isEmpty();
    }

    /**
     * Returns true if a holder has written since the first read. The first read alone does not show whether the holder
     * is alive.
     */
    public boolean isAlive() {
        return alive;
    }

    /** Returns the time at which the observer first received the holder's latest write. */
    public long lastWriteAtNanos() {
        return renewedRecord().seenAtNanos();
    }

    /** Returns the time at which the holder will have been silent for the ttl. */
    public long silentAtNanos() {
        return session().map(ObservedSession::freeAtNanos).orElse(lease.freeAtNanos());
    }

    /**
     * Returns the record that the holder renews, as last read; empty if it is missing.
     *
     * <p>This is the record of the session, or the lease itself if it has no session.
     */
    public Optional<LeaseRecord> renewed() {
        return renewedRecord().record();
    }

    /**
     * Returns the ttl of the record that the holder renews. If this record is missing, returns the ttl of the lease, or
     * zero if there is no lease.
     */
    public Duration ttl() {
        return renewed().or(lease::record).map(LeaseRecord::ttl).orElse(Duration.ZERO);
    }

    private ObservedRecord renewedRecord() {
        return session.isKnown() ? session : lease;
    }

    private Optional<ObservedSession> session() {
        return session.asSession(ttl());
    }

    private Sessions sessions() {
        return session()
                .map(seen -> new Sessions(Optional.empty(), Map.of(sessionName(lease), seen)))
                .orElse(Sessions.NONE);
    }

    private static String sessionName(ObservedRecord lease) {
        return lease.epoch().map(LeaseRecord.Epoch::session).orElse("");
    }

    /**
     * Returns a moment with this monotonic time. The wall clock time is a dummy, because this class does not use it.
     */
    private static Moment at(long nanos) {
        return new Moment(nanos, 0);
    }
}
