package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * An election as a program that is no candidate observes it. The program reads the lease and the record of its session, and
 * this class applies the candidates' own rules to what was read (L2, L12). Immutable.
 *
 * <p>All times are readings of the observer's monotonic clock, in nanoseconds.
 */
public final class ObservedLease {

    /** Before the first read. */
    public static final ObservedLease NONE = new ObservedLease(Sight.NONE, Sight.NONE, false);

    private final Sight lease;
    private final Sight session;
    private final boolean alive;

    private ObservedLease(Sight lease, Sight session, boolean alive) {
        this.lease = lease;
        this.session = session;
        this.alive = alive;
    }

    /**
     * Adds one more read.
     *
     * @param found the lease
     * @param sessionFound the record of the session that the lease names; empty if it names none
     * @param nanos the receipt of the last answer
     */
    public ObservedLease seeing(VersionedLease found, Optional<VersionedLease> sessionFound, long nanos) {
        Moment now = at(nanos);
        Sight nextLease = lease.seeing(found, now);
        boolean sameSession = sessionName(lease).equals(sessionName(nextLease));
        Sight before = sameSession ? session : Sight.NONE;
        Sight nextSession = sessionFound.map(read -> before.seeing(read, now)).orElse(Sight.NONE);
        return new ObservedLease(
                nextLease, nextSession, alive || nextLease.isWrittenSince(lease) || nextSession.isWrittenSince(before));
    }

    /** True if the lease names a holder, and the session that it is held under has not ended. */
    public boolean isHeld() {
        return lease.isHeld()
                && !lease.epoch()
                        .flatMap(epoch -> session().map(seen -> seen.hasEnded(epoch.term())))
                        .orElse(false);
    }

    /** True if the lease is held, and its holder has been silent for the ttl (rule L2). */
    public boolean isSilentAt(long nanos) {
        return isHeld() && lease.leaderAt(at(nanos), sessions()).isEmpty();
    }

    /** True if a write by a holder was observed. The first read alone cannot tell how old the record is. */
    public boolean isAlive() {
        return alive;
    }

    /** The receipt of the first answer that showed the holder's latest write. */
    public long heardAtNanos() {
        return renewedSight().seenAtNanos();
    }

    /** When the holder will have been silent for the ttl. */
    public long silentAtNanos() {
        return session().map(SessionSight::freeAtNanos).orElse(lease.freeAtNanos());
    }

    /** The record that the holder renews, as last read: that of its session, or else the lease. Empty if it is missing. */
    public Optional<LeaseRecord> renewed() {
        return renewedSight().record();
    }

    /** The ttl of the record that the holder renews; zero if there is no record. */
    public Duration ttl() {
        return renewed().or(lease::record).map(LeaseRecord::ttl).orElse(Duration.ZERO);
    }

    private Sight renewedSight() {
        return session.isKnown() ? session : lease;
    }

    private Optional<SessionSight> session() {
        return session.asSession(ttl());
    }

    private Sessions sessions() {
        return session()
                .map(seen -> new Sessions(Optional.empty(), Map.of(sessionName(lease), seen)))
                .orElse(Sessions.NONE);
    }

    private static String sessionName(Sight lease) {
        return lease.epoch().map(Epoch::session).orElse("");
    }

    /** Observers measure durations only, so no rule here reads the wall clock. */
    private static Moment at(long nanos) {
        return new Moment(nanos, 0);
    }
}
