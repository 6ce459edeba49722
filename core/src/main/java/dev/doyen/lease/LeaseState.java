package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All a lease machine knows. Opaque to drivers but for what can be asked of it here.
 *
 * @param inFlight the one request on its way, if any
 * @param sequence numbers requests, nonces and jitter
 * @param lookAtNanos when the record is to be looked at next
 * @param told the leader as listeners know it
 * @param confirmed when the store last answered, or null
 * @param fitness whether this candidate may stand
 * @param strikes how many terms in a row ended early and against the leader's will
 */
public record LeaseState(
        Role role,
        Sight sight,
        @Nullable Request inFlight,
        long sequence,
        long lookAtNanos,
        Optional<Leader> told,
        @Nullable Moment confirmed,
        Fitness fitness,
        int strikes) {

    /** The right to lead, if this machine leads; whether it still holds, ask {@link Grant#holdsAt}. */
    public Optional<Grant> grant() {
        return role instanceof Role.Leading leading ? Optional.of(leading.grant()) : Optional.empty();
    }

    /** Whether this machine leads at {@code now}, by a lease that it renews itself. */
    public boolean leads(Moment now) {
        return role instanceof Role.Leading leading && leading.grant().holdsAt(now);
    }

    /** True if this machine leads at {@code now} under the present epoch of this process's own session (rule L12). */
    public boolean leadsWithin(OwnSession session, Moment now) {
        return role instanceof Role.Leading leading && leading.isUnder(session) && session.holdsAt(now);
    }

    /** The right to lead, for as long as this process's own session lasts; empty if the lease has another epoch. */
    public Optional<Grant> grantWithin(OwnSession session) {
        return role instanceof Role.Leading leading && leading.isUnder(session)
                ? Optional.of(leading.grant().within(session.grant()))
                : Optional.empty();
    }

    /** Who leads, as far as this machine knows: itself, or the holder of a lease that has not been seen to run out. */
    public Optional<Leader> leader() {
        return told;
    }

    /** When the store last answered a question about this election; empty before the first answer. */
    public Optional<Moment> lastConfirmed() {
        return Optional.ofNullable(confirmed);
    }

    /** The epoch that this lease was last seen held under; the driver follows its session. */
    public Optional<Epoch> epoch() {
        return sight.epoch();
    }

    /** What the participants have told each other, as last seen. */
    public LeaseNotes notes() {
        return sight.notes();
    }

    /** The record read as a session's (rule L12); empty before the first look. */
    public Optional<SessionSight> asSession(Duration ttl) {
        return sight.asSession(ttl);
    }

    public boolean hasEnded() {
        return role instanceof Role.Gone;
    }

    /** A request to the store; {@code write} is null exactly for a look. */
    record Request(long number, Kind kind, Moment sentAt, Role.@Nullable Attempt write) {
        enum Kind {
            LOOK,
            ACQUIRE,
            RENEW,
            RELEASE,
            ORDER,
            FENCE
        }
    }
}
