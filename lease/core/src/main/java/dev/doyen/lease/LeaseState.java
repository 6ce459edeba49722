package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.health.Eligibility;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease machine. Drivers use only the methods of this type.
 *
 * @param inFlight the one request in flight, or null
 * @param sequence numbers requests and nonces, and seeds the jitter
 * @param readAtNanos when to read the record next
 * @param told the leader that was last reported to the listeners
 * @param confirmed when the store last answered, or null
 * @param eligibility whether this candidate may be elected
 * @param expiredInARow how many terms in a row have expired without a renewal in between (rule M7); always
 *     0 for a lease under a session
 */
public record LeaseState(
        Role role,
        ObservedRecord observed,
        @Nullable Request inFlight,
        long sequence,
        long readAtNanos,
        Optional<Leader> told,
        @Nullable Moment confirmed,
        Eligibility eligibility,
        int expiredInARow) {

    /**
     * Returns the right to lead, if this machine leads. Check {@link LeaderLease#holdsAt} to learn whether it has expired.
     */
    public Optional<LeaderLease> leaderLease() {
        return role instanceof Role.Leading leading ? Optional.of(leading.leaderLease()) : Optional.empty();
    }

    /** Returns true if this machine leads at {@code now} by a lease that it renews itself. */
    public boolean leads(Moment now) {
        return role instanceof Role.Leading leading && leading.leaderLease().holdsAt(now);
    }

    /** Returns true if this machine leads at {@code now} in the present epoch of this process's session (rule L12). */
    public boolean leadsWithin(OwnSession session, Moment now) {
        return role instanceof Role.Leading leading && leading.isUnder(session) && session.holdsAt(now);
    }

    /** Returns the right to lead, limited by this process's session; empty if the lease has another epoch. */
    public Optional<LeaderLease> leaderLeaseWithin(OwnSession session) {
        return role instanceof Role.Leading leading && leading.isUnder(session)
                ? Optional.of(leading.leaderLease().within(session.leaderLease()))
                : Optional.empty();
    }

    /** Returns the leader: this machine, or the holder of a lease that was not seen to expire. */
    public Optional<Leader> leader() {
        return told;
    }

    /** Returns when the store last answered a request about this election; empty before the first answer. */
    public Optional<Moment> lastConfirmed() {
        return Optional.ofNullable(confirmed);
    }

    /** Returns the epoch under which the lease was last seen. The driver observes its session. */
    public Optional<Epoch> epoch() {
        return observed.epoch();
    }

    /** Returns the notes in the record as last read. */
    public LeaseNotes notes() {
        return observed.notes();
    }

    /** Returns the record, read as that of a session (rule L12); empty before the first read. */
    public Optional<ObservedSession> asSession(Duration ttl) {
        return observed.asSession(ttl);
    }

    public boolean hasEnded() {
        return role instanceof Role.Gone;
    }

    /** A request to the store. Only a read has no {@code write}. */
    record Request(long number, Kind kind, Moment sentAt, Role.@Nullable Attempt write) {
        enum Kind {
            READ,
            ACQUIRE,
            RENEW,
            RELEASE,
            STEP_DOWN_REQUEST,
            FENCE
        }
    }
}
