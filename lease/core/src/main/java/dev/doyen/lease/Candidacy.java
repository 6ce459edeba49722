package dev.doyen.lease;

import dev.doyen.event.HandOverState;
import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Standing;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseOrder;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.PastTerm;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The rules of a candidate: reading the record, asking a leader, acquiring the lease (L3, L12, M5). */
final class Candidacy {

    private final Turn turn;
    private final Departure departure;

    Candidacy(Turn turn, Departure departure) {
        this.turn = turn;
        this.departure = departure;
    }

    /** Sends the next request of a candidate: an acquire, a step-down request, or a read. */
    void sendNext(Standing standing) {
        boolean may = turn.fitness.stands() && !turn.manners.isPaused();
        if (!may && turn.sight.isHeldBy(standing.me())) {
            // The candidate won by a write whose answer was lost, and no longer wants to lead.
            departure.giveBackUnused(standing, LossCause.UNHEALTHY, new Next.Stand(standing.me(), 0));
            return;
        }
        OptionalLong takeAt = turn.takeAt(standing);
        Optional<LeaseOrder> order = turn.manners.orderToReturn(standing);
        if (takeAt.isPresent() && turn.isDue(takeAt.getAsLong())) {
            acquire(standing);
        } else if (turn.isDue(turn.lookAtNanos)) {
            turn.look();
        } else if (order.isPresent()) {
            ask(standing, order.get());
        }
        if (may) {
            turn.sight
                    .silentSession(turn.now, turn.sessions)
                    .ifPresent(session -> turn.effect(new LeaseEffect.Fence(session)));
        }
    }

    /**
     * Acquires the lease by compare-and-set over the observed version (rules L3, L12).
     *
     * <p>The new term is one above the highest that this candidate has seen.
     */
    private void acquire(Standing standing) {
        LeaseRecord previous = turn.sight.record().orElse(null);
        Instant wall = Instant.ofEpochMilli(turn.now.wallMillis());
        var record = new LeaseRecord(
                turn.machine.election(),
                standing.me().id(),
                standing.me().incarnation(),
                turn.sight.highestTerm() + 1,
                turn.nonce(standing.me().incarnation()),
                turn.timing.ttl(),
                wall,
                wall,
                previous == null ? HandOverState.EMPTY : previous.state(),
                previous == null ? 0 : previous.stateVersion(),
                turn.machine.keeping() == Keeping.BY_RENEWAL
                        ? Optional.empty()
                        : turn.sessions.own().map(OwnSession::epoch),
                notesOnTaking(previous, wall));
        turn.write(Request.Kind.ACQUIRE, turn.sight.knownVersion(), new Attempt(record, turn.now, 0));
    }

    /** Carries on the history of the election, with the previous term if it expired. */
    private LeaseNotes notesOnTaking(@Nullable LeaseRecord previous, Instant wall) {
        if (previous == null) {
            return LeaseNotes.NONE.heldWith(turn.manners.shownPriority());
        }
        LeaseNotes notes = previous.notes();
        if (previous.isHeld()) {
            Instant until = previous.epoch().isPresent() ? wall : previous.renewedAt();
            notes = notes.withPast(
                    new PastTerm(previous.term(), previous.holder(), previous.acquiredAt(), until, LossCause.EXPIRED));
        }
        return notes.heldWith(turn.manners.shownPriority());
    }

    /** Writes a step-down request into the leader's record (rule M5). */
    private void ask(Standing standing, LeaseOrder order) {
        VersionedLease seen =
                VersionedLease.of(turn.sight.knownVersion(), turn.sight.record().orElseThrow());
        LeaseRecord held = seen.record().orElseThrow();
        LeaseRecord asking = held.noting(
                held.notes().withOrder(order), turn.nonce(standing.me().incarnation()));
        long again = turn.now.nanos() + turn.timing.ttl().toNanos();
        turn.become(new Standing(standing.me(), standing.notBeforeNanos(), again, standing.doubted()));
        turn.write(Request.Kind.ORDER, seen.version(), new Attempt(asking, turn.now, 0));
    }

    void sayIfBlocked(Standing standing) {
        if (!turn.sight.isHeldBy(standing.me())) {
            turn.sight
                    .leaderAt(turn.now, turn.sessions)
                    .ifPresent(leader -> turn.effect(new LeaseEffect.Blocked(leader)));
        }
    }
}
