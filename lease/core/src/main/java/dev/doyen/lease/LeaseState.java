package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.health.Eligibility;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease machine. Drivers use only the methods that are declared below, and not the accessors of
 * the components.
 *
 * @param inFlight the only request in flight; null if there is none
 * @param sequence the counter that numbers requests and nonces, and seeds the jitter
 * @param readAtNanos the time of the next read, in nanoseconds of the monotonic clock
 * @param reported the leader that was last reported to the listeners
 * @param confirmed the time of the last answer of the store; null before the first answer
 * @param eligibility the eligibility of this candidate
 * @param expiredInARow the number of terms that have expired since the last renewal (rule M7); always 0 for a lease
 *     under a session
 * @param readFault the fault of the last read; empty if that read was answered
 * @param writeFault the fault of the last write; empty if the store carried out that write, or if the machine does
 *     not write any more
 */
public record LeaseState(
        Role role,
        ObservedRecord observed,
        @Nullable Request inFlight,
        long sequence,
        long readAtNanos,
        Optional<Leader> reported,
        @Nullable Moment confirmed,
        Eligibility eligibility,
        int expiredInARow,
        Optional<StoreFault> readFault,
        Optional<StoreFault> writeFault) {

    /**
     * Returns the leader lease, if this machine leads.
     *
     * <p>Without a session, the caller must check with {@link LeaderLease#holdsAt} whether the deadline has passed.
     * Under a session, the caller must use {@link #leaderLeaseWithin}.
     */
    public Optional<LeaderLease> leaderLease() {
        return role instanceof Role.Leading leading ? Optional.of(leading.leaderLease()) : Optional.empty();
    }

    /** Returns true if this machine leads at {@code now}, in an election without a session. */
    public boolean leads(Moment now) {
        return role instanceof Role.Leading leading && leading.leaderLease().holdsAt(now);
    }

    /** Returns true if this machine leads at {@code now} in the epoch of {@code session} (rule L12). */
    public boolean leadsWithin(OwnSession session, Moment now) {
        return role instanceof Role.Leading leading && leading.isUnder(session) && session.holdsAt(now);
    }

    /**
     * Returns the leader lease, with the deadline of this session. The result is empty if the machine does not lead, or
     * if the lease has another epoch.
     */
    public Optional<LeaderLease> leaderLeaseWithin(OwnSession session) {
        return role instanceof Role.Leading leading && leading.isUnder(session)
                ? Optional.of(leading.leaderLease().within(session.leaderLease()))
                : Optional.empty();
    }

    /** Returns the leader that was last reported to the listeners. The result is empty if no leader is known. */
    public Optional<Leader> leader() {
        return reported;
    }

    /** Returns the time of the store's last answer about this election. The result is empty before the first answer. */
    public Optional<Moment> lastConfirmed() {
        return Optional.ofNullable(confirmed);
    }

    /**
     * Returns the present fault of the store; empty if the store has answered the last requests.
     *
     * <p>If both a read and a write have failed, the result is a missing right rather than a missing answer.
     */
    public Optional<StoreFault> storeFault() {
        return StoreFault.present(readFault, writeFault);
    }

    /**
     * Returns the id of the candidate; empty if the machine observes or has ended.
     *
     * <p>While the work or the release of a past term is in progress, this is the id of that term's candidate.
     */
    public Optional<String> candidateId() {
        return (role instanceof Role.Leading leading
                        ? Optional.of(leading.leaderLease().holder())
                        : role.candidate())
                .map(Identity::id);
    }

    /** Returns true if this machine is a candidate and does not know any leader. */
    public boolean lacksLeader() {
        return reported.isEmpty() && !(role instanceof Role.Observing || role instanceof Role.Gone);
    }

    /** Returns the epoch under which the lease was last observed. The driver observes the session of this epoch. */
    public Optional<LeaseRecord.Epoch> epoch() {
        return observed.epoch();
    }

    /** Returns the notes in the record as last read. */
    public LeaseNotes notes() {
        return observed.notes();
    }

    /** Returns the record, interpreted as a session record (rule L12); empty before the first read. */
    public Optional<ObservedSession> asSession(Duration ttl) {
        return observed.asSession(ttl);
    }

    /** Returns true if no work or release of a past term is in progress. */
    public boolean isSettled() {
        return !(role instanceof Role.Stopping || role instanceof Role.Releasing);
    }

    public boolean hasEnded() {
        return role instanceof Role.Gone;
    }

    /** A request to the store. The component {@code write} is null only for a read. */
    record Request(long number, RequestKind kind, Moment sentAt, Role.@Nullable Attempt write) {}
}
