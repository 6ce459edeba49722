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
import java.util.OptionalLong;

/** The rules for the end of a candidacy: withdrawing, and releasing the lease (L6, L12.6). */
final class Departure {

    private final Turn turn;
    private final Tenure tenure;

    Departure(Turn turn, Tenure tenure) {
        this.turn = turn;
        this.tenure = tenure;
    }

    /**
     * Stops waiting for a release that does not succeed within W.
     *
     * <p>A lease that its holder renewed expires then. A lease under a session does not expire (rule L12.6). So the
     * machine repeats the release until it succeeds or the epoch ends, but its caller waits no longer.
     */
    void giveUpOnRelease() {
        if (!(turn.role() instanceof Releasing releasing) || !turn.isDue(releasing.giveUpAtNanos())) {
            return;
        }
        turn.inFlight = null;
        if (!isHeldByLiveSession(releasing.tenancy())) {
            proceed(releasing.next());
            return;
        }
        turn.become(releasing.goingOn(giveUpAtNanos()));
        turn.lookAtNanos = turn.now.nanos();
        turn.effect(new LeaseEffect.Settled());
        if (isDoubted(releasing.doubted())) {
            overwriteDoubted(releasing.tenancy());
        }
    }

    /**
     * Returns true if this process still leads its session in the epoch of the term.
     *
     * <p>Then the session keeps the lease from expiring (rule L12.6).
     */
    private boolean isHeldByLiveSession(Tenancy tenancy) {
        return tenancy.epoch().isPresent()
                && tenancy.epoch().equals(turn.sessions.own().map(OwnSession::epoch));
    }

    /**
     * Changes the version over which an acquire of unknown outcome was sent.
     *
     * <p>After that the store cannot carry out the acquire any more.
     */
    private void overwriteDoubted(Tenancy tenancy) {
        String nonce = turn.nonce(tenancy.me().incarnation());
        LeaseRecord same = turn.sight
                .record()
                .map(record -> record.noting(record.notes(), nonce))
                .orElseGet(() -> LeaseRecord.unheld(
                        turn.machine.election(),
                        Math.max(1, turn.sight.highestTerm()),
                        nonce,
                        turn.timing.ttl(),
                        Instant.ofEpochMilli(turn.now.wallMillis())));
        turn.write(Request.Kind.RELEASE, turn.sight.knownVersion(), new Attempt(same, turn.now, 0));
    }

    /**
     * Releases the record W after the latch, although the work still runs (rule L12.6).
     *
     * <p>The term ended at the latch (rule L6). An attempt without an answer is repeated after W.
     */
    void releaseUnstopped() {
        if (!(turn.role() instanceof Stopping stopping)
                || stopping.releaseAtNanos().isEmpty()
                || !turn.isDue(stopping.releaseAtNanos().getAsLong())) {
            return;
        }
        Optional<VersionedLease> held = held(stopping.tenancy());
        if (held.isEmpty()) {
            turn.become(stopping.releasing(held, OptionalLong.empty()));
            return;
        }
        // The release does not wait for the answer to a save or a read. If a save changed the version, the release
        // conflicts, and the conflict shows the new version.
        turn.inFlight = null;
        turn.become(stopping.releasing(held, OptionalLong.of(giveUpAtNanos())));
        release(stopping.tenancy(), held.get());
    }

    /** Handles the answer to {@link #releaseUnstopped}. The record in that answer has already been observed. */
    void releasedUnstopped(Stopping stopping) {
        Optional<VersionedLease> held = held(stopping.tenancy());
        OptionalLong again = held.isEmpty() ? OptionalLong.empty() : OptionalLong.of(turn.now.nanos());
        turn.become(stopping.releasing(held, again));
    }

    /** Returns the record as last read, if the leader of this term still holds it. */
    private Optional<VersionedLease> held(Tenancy tenancy) {
        return turn.sight.isHeldBy(tenancy.me())
                ? turn.sight.record().map(record -> VersionedLease.of(turn.sight.knownVersion(), record))
                : Optional.empty();
    }

    /** Releases what this candidate still holds, after all work has stopped. */
    void workStopped(Stopping stopping) {
        Optional<VersionedLease> mine = stopping.mine();
        if (mine.isEmpty() && isHeldByLiveSession(stopping.tenancy())) {
            // The term ended by the clocks, but the session was renewed all the same.
            mine = held(stopping.tenancy());
        }
        if (mine.isEmpty()) {
            proceed(stopping.next());
        } else {
            turn.become(new Releasing(stopping.tenancy(), mine, Optional.empty(), giveUpAtNanos(), stopping.next()));
        }
    }

    /** Reports an overlap if another candidate leads while the work of this term still runs. */
    void noticeOverlap() {
        if (turn.role() instanceof Stopping stopping
                && stopping.overlapAtNanos().isPresent()
                && turn.isDue(stopping.overlapAtNanos().getAsLong())) {
            turn.successorOf(stopping).ifPresent(leader -> {
                turn.become(stopping.overlapping());
                turn.tell(new ElectionEvent.Overlapped(stopping.tenancy().term(), leader));
            });
        }
    }

    void endCandidacy(LossCause cause, Next next) {
        if (turn.role() instanceof Leading leading) {
            tenure.finish(leading, cause, tenure.mine(leading), next, "");
        } else if (turn.role() instanceof Standing standing && mayHaveWon(standing)) {
            giveBackUnused(standing, cause, next);
        } else if (turn.role() instanceof Observing || turn.role() instanceof Standing) {
            proceed(next);
        } else {
            redirect(next);
        }
    }

    /** Returns true if an acquire is in flight, has won, or may still be carried out. */
    private boolean mayHaveWon(Standing standing) {
        Request request = turn.inFlight;
        return (request != null && request.kind() == Request.Kind.ACQUIRE)
                || isDoubted(standing.doubted())
                || turn.sight.isHeldBy(standing.me());
    }

    private boolean isDoubted(Optional<LeaseVersion> version) {
        return version.filter(v -> v.equals(turn.sight.version())).isPresent();
    }

    /** Releases a lease that an acquire has won, or may still win, without beginning a term (rule L6). */
    void giveBackUnused(Standing standing, LossCause cause, Next next) {
        Tenancy tenancy = neverBegun(standing, cause);
        Optional<VersionedLease> mine = held(tenancy);
        turn.become(new Releasing(
                tenancy,
                mine,
                mine.isPresent() ? Optional.empty() : Optional.of(turn.sight.knownVersion()),
                giveUpAtNanos(),
                next));
        turn.lookAtNanos = turn.now.nanos();
    }

    /**
     * Returns the record of a term that never began, under the present epoch.
     *
     * <p>An acquire that was sent in an older epoch holds nothing.
     */
    private Tenancy neverBegun(Standing standing, LossCause cause) {
        return new Tenancy(standing.me(), 0, cause, "", turn.sessions.own().map(OwnSession::epoch));
    }

    void release(Tenancy tenancy, VersionedLease mine) {
        LeaseRecord held = mine.record().orElseThrow();
        Instant wall = Instant.ofEpochMilli(turn.now.wallMillis());
        LeaseNotes notes = held.notes().heldWith(LeaseNotes.MAX_PRIORITY);
        if (tenancy.term() == held.term()) {
            notes = notes.withPast(new PastTerm(
                    held.term(),
                    tenancy.me().id(),
                    held.acquiredAt(),
                    wall,
                    tenancy.end(),
                    tenancy.by(),
                    tenancy.reason()));
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

    /** Goes on with the release if this candidate still holds the record. Otherwise there is nothing to release. */
    void releaseOver(Releasing releasing, VersionedLease current) {
        if (turn.sight.isHeldBy(releasing.tenancy().me())) {
            turn.become(releasing.holding(Optional.of(current)));
        } else if (isDoubted(releasing.doubted())) {
            turn.become(releasing.holding(Optional.empty()));
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
            // A leader that names its own id as the successor means another candidate of that id (rule L10).
            boolean namedByItself = turn.role() instanceof Releasing releasing
                    && releasing.tenancy().heir().equals(stand.me().id());
            boolean named = turn.manners.isSuccessor(stand.me()) && !namedByItself;
            long cooldown = named ? 0 : stand.cooldownNanos();
            turn.become(new Standing(stand.me(), turn.now.nanos() + cooldown));
        } else if (next instanceof Next.Observe) {
            turn.become(Observing.ONLY);
        } else {
            turn.become(new Gone());
            turn.inFlight = null;
        }
        turn.lookAtNanos = turn.now.nanos();
        turn.effect(new LeaseEffect.Settled());
        if (turn.role() instanceof Gone) {
            turn.effect(new LeaseEffect.Ended());
        }
    }

    /** Sets the next role of a machine that stops or releases. A machine that leaves does not return. */
    void redirect(Next next) {
        if (isLeaving()) {
            return;
        }
        if (turn.role() instanceof Stopping stopping) {
            turn.become(stopping.then(next));
        } else if (turn.role() instanceof Releasing releasing) {
            turn.become(releasing.then(next));
        } else if (!(turn.role() instanceof Gone)) {
            throw new IllegalStateException("already a candidate: " + turn.role());
        }
    }

    private boolean isLeaving() {
        return (turn.role() instanceof Stopping stopping && stopping.next() instanceof Next.End)
                || (turn.role() instanceof Releasing releasing && releasing.next() instanceof Next.End);
    }
}
