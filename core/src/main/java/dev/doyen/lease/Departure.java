package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Standing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.lease.Role.Tenancy;
import dev.doyen.store.Heir;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.PastTerm;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;

/** The rules of getting out: how a candidacy ends, and how the lease is given back (L6). */
final class Departure {

    private final Turn turn;
    private final Tenure tenure;

    Departure(Turn turn, Tenure tenure) {
        this.turn = turn;
        this.tenure = tenure;
    }

    /** A release that does not get through is left to expiry. */
    void giveUpOnRelease() {
        if (turn.role instanceof Releasing releasing && turn.isDue(releasing.giveUpAtNanos())) {
            turn.inFlight = null;
            proceed(releasing.next());
        }
    }

    /** Work that goes on under a term that has ended is noticed once somebody else is seen to lead. */
    void noticeOverlap() {
        if (turn.role instanceof Stopping stopping
                && stopping.overlapAtNanos().isPresent()
                && turn.isDue(stopping.overlapAtNanos().getAsLong())) {
            turn.successorOf(stopping).ifPresent(leader -> {
                turn.role = stopping.overlapping();
                turn.tell(new ElectionEvent.Overlapped(stopping.tenancy().term(), leader));
            });
        }
    }

    void endCandidacy(LossCause cause, Next next) {
        if (turn.role instanceof Leading leading) {
            tenure.finish(leading, cause, tenure.mine(leading), next, "");
        } else if (turn.role instanceof Standing standing && mayHaveWon(standing)) {
            giveBackUnused(standing, cause, next);
        } else if (turn.role instanceof Observing || turn.role instanceof Standing) {
            proceed(next);
        } else {
            redirect(next);
        }
    }

    /** An acquire is on its way, or may still be carried out, or was. */
    private boolean mayHaveWon(Standing standing) {
        Request request = turn.inFlight;
        return (request != null && request.kind() == Request.Kind.ACQUIRE)
                || isDoubted(standing.doubted())
                || turn.sight.isHeldBy(standing.me());
    }

    private boolean isDoubted(Optional<LeaseVersion> version) {
        return version.filter(v -> v.equals(turn.sight.version())).isPresent();
    }

    /** What an acquire has won, or may yet win, is given back without a term having begun (L6: latch). */
    void giveBackUnused(Standing standing, LossCause cause, Next next) {
        boolean mine = turn.sight.isHeldBy(standing.me());
        turn.role = new Releasing(
                neverBegun(standing, cause),
                mine
                        ? turn.sight.record().map(held -> VersionedLease.of(turn.sight.knownVersion(), held))
                        : Optional.empty(),
                mine ? Optional.empty() : Optional.of(turn.sight.knownVersion()),
                giveUpAtNanos(),
                next);
        turn.lookAtNanos = turn.now.nanos();
    }

    static Tenancy neverBegun(Standing standing, LossCause cause) {
        return new Tenancy(standing.me(), 0, cause, "");
    }

    void release(Releasing releasing, VersionedLease mine) {
        LeaseRecord held = mine.record().orElseThrow();
        Tenancy tenancy = releasing.tenancy();
        Instant wall = Instant.ofEpochMilli(turn.now.wallMillis());
        LeaseNotes notes = held.notes().heldWith(LeaseNotes.MAX_PRIORITY);
        if (tenancy.term() == held.term()) {
            notes = notes.withPast(
                    new PastTerm(held.term(), tenancy.me().id(), held.acquiredAt(), wall, tenancy.end()));
        }
        if (!tenancy.heir().isEmpty()) {
            notes = notes.withHeir(Optional.of(new Heir(tenancy.heir(), turn.manners.heirsTime())));
        }
        var record = new LeaseRecord(
                turn.machine.election(),
                "",
                "",
                held.term(),
                turn.nonce(tenancy.me().incarnation()),
                held.ttl(),
                held.acquiredAt(),
                wall,
                held.state(),
                held.stateVersion(),
                Optional.empty(),
                notes);
        turn.write(Request.Kind.RELEASE, mine.version(), new Attempt(record, turn.now, 0));
    }

    /** Goes on releasing if what the store holds is still one's own; else there is nothing left to give back. */
    void releaseOver(Releasing releasing, VersionedLease current) {
        if (turn.sight.isHeldBy(releasing.tenancy().me())) {
            turn.role = releasing.holding(Optional.of(current));
        } else if (isDoubted(releasing.doubted())) {
            turn.role = releasing.holding(Optional.empty());
            turn.lookAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();
        } else {
            proceed(releasing.next());
        }
    }

    long giveUpAtNanos() {
        return turn.now.nanos() + turn.timing.ttl().toNanos();
    }

    void proceed(Next next) {
        if (next instanceof Next.Stand stand) {
            turn.role = new Standing(stand.me(), turn.now.nanos() + stand.cooldownNanos());
        } else if (next instanceof Next.Observe) {
            turn.role = Observing.ONLY;
        } else {
            turn.role = new Gone();
            turn.inFlight = null;
        }
        turn.lookAtNanos = turn.now.nanos();
        turn.effect(new LeaseEffect.Settled());
        if (turn.role instanceof Gone) {
            turn.effect(new LeaseEffect.Ended());
        }
    }

    void redirect(Next next) {
        if (turn.role instanceof Stopping stopping) {
            turn.role = stopping.then(next);
        } else if (turn.role instanceof Releasing releasing) {
            turn.role = releasing.then(next);
        } else if (!(turn.role instanceof Gone)) {
            throw new IllegalStateException("already a candidate: " + turn.role);
        }
    }
}
