package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.lease.Role.Tenancy;
import dev.doyen.lease.Role.Wanted;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeasePause;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of a leadership: how it begins, is renewed, and ends (L1, L4, L6, L7, L12). */
final class Tenure {

    /** How many writes of unknown outcome are remembered; see {@link #doubt}. */
    static final int MAX_UNRESOLVED = 16;

    private final Turn turn;

    Tenure(Turn turn) {
        this.turn = turn;
    }

    /**
     * Ends the term if its deadline has passed (rule L4).
     *
     * <p>This check comes before any input is processed, so a leader past its deadline does not act on the input.
     */
    void enforceDeadline() {
        if (!(turn.role() instanceof Leading leading)) {
            return;
        }
        Grant grant = leading.epoch().isPresent() ? ownSession(leading).orElse(null) : leading.grant();
        if (grant == null) {
            // The session has left that epoch (rule L12).
            finish(leading, LossCause.EXPIRED, Optional.empty(), standAgain(leading), "");
        } else if (!grant.holdsAt(turn.now)) {
            boolean byNanos =
                    turn.now.nanosSince(grant.sentAt()) >= grant.deadline().toNanos();
            Next next = standAgain(leading);
            if (leading.epoch().isEmpty()) {
                // Under a session only the session record counts, because the process renews only that one (rule M7).
                turn.strikes++;
            }
            finish(leading, byNanos ? LossCause.EXPIRED : LossCause.SUSPENDED, Optional.empty(), next, "");
        }
    }

    /** Returns the right to lead the session of this lease, if the session is still in the same epoch. */
    private Optional<Grant> ownSession(Leading leading) {
        return turn.sessions.own().filter(leading::isUnder).map(OwnSession::grant);
    }

    /**
     * Begins a term after the store has confirmed the acquire, unless the answer came too late.
     *
     * <p>The deadline counts from before the send (rule L1), and under a session its epoch may have ended (rule L12).
     * If the answer came too late, the record is this candidate's own, and the candidate acquires it again under a new
     * term.
     */
    void begin(Identity me, Attempt attempt, LeaseVersion version) {
        LeaseRecord record = attempt.record();
        Moment sentAt = attempt.sentAt();
        Duration deadline = turn.timing.deadline();
        if (record.epoch().isPresent()) {
            Optional<OwnSession> session =
                    turn.sessions.own().filter(own -> record.epoch().equals(Optional.of(own.epoch())));
            if (session.isEmpty()) {
                return;
            }
            sentAt = session.get().grant().sentAt();
            deadline = session.get().grant().deadline();
        }
        var grant = new Grant(me, record.term(), sentAt, deadline, record.state());
        if (!grant.holdsAt(turn.now)) {
            return;
        }
        turn.become(new Leading(
                grant,
                version,
                record.acquiredAt(),
                attempt.sentAt().nanos() + turn.timing.renewEvery().toNanos(),
                List.of(),
                new Wanted(record.state(), 0, record.stateVersion()),
                0,
                false,
                record.epoch(),
                record.notes()));
        turn.tell(new ElectionEvent.Elected(record.term(), record.state()));
        turn.tellLeader(Optional.of(new Leader(me.id(), record.term())));
    }

    void save(Leading leading, LeaseInput.Save input) {
        var wanted = new Wanted(input.state(), input.save(), leading.wanted().version() + 1);
        turn.become(leading.with(next -> {
            next.wanted = wanted;
            next.renewAtNanos = turn.now.nanos();
        }));
    }

    void renewIfDue(Leading leading) {
        if (!turn.isDue(leading.renewAtNanos())) {
            return;
        }
        renew(leading);
    }

    private void renew(Leading leading) {
        Grant grant = leading.grant();
        var record = new LeaseRecord(
                turn.machine.election(),
                grant.holder().id(),
                grant.holder().incarnation(),
                grant.term(),
                turn.nonce(grant.holder().incarnation()),
                turn.timing.ttl(),
                leading.acquiredAt(),
                Instant.ofEpochMilli(turn.now.wallMillis()),
                leading.wanted().state(),
                leading.wanted().version(),
                leading.epoch(),
                leading.notes().heldWith(turn.manners.shownPriority()));
        var attempt = new Attempt(record, turn.now, leading.wanted().save());
        turn.write(Request.Kind.RENEW, leading.version(), attempt);
    }

    /** Extends the deadline, which counts from before the send of the confirmed write (rule L1). */
    void confirm(Leading leading, Attempt attempt, LeaseVersion version) {
        Grant old = leading.grant();
        boolean later = leading.epoch().isEmpty() && attempt.sentAt().nanosSince(old.sentAt()) > 0;
        var grant = new Grant(
                old.holder(),
                old.term(),
                later ? attempt.sentAt() : old.sentAt(),
                old.deadline(),
                attempt.record().state());
        boolean moreToSave = attempt.save() < leading.wanted().save();
        long renewAtNanos = moreToSave
                ? turn.now.nanos()
                : grant.sentAt().nanos() + turn.timing.renewEvery().toNanos();
        turn.become(leading.with(next -> {
            next.grant = grant;
            next.version = version;
            next.renewAtNanos = renewAtNanos;
            // The store can carry out no write that is older than a confirmed one.
            next.unresolved = List.of();
            next.saved = attempt.save();
            next.inJeopardy = leading.epoch().isPresent() && leading.inJeopardy();
        }));
        turn.strikes = 0;
        if (attempt.save() > leading.saved()) {
            turn.effect(new LeaseEffect.Saved(attempt.save()));
        }
        if (leading.inJeopardy() && leading.epoch().isEmpty()) {
            turn.tell(new ElectionEvent.Recovered(grant.term()));
        }
    }

    /**
     * Checks the record that a leader under a session has read (rule L12.5).
     *
     * <p>This leader does not renew the record, so no conflict shows it what others have written.
     */
    void looked(Leading leading, VersionedLease current) {
        if (isOurs(leading)) {
            turn.become(leading.with(next -> next.version = current.version()));
            obey((Leading) turn.role(), current);
        } else {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), standAgain(leading), "");
        }
    }

    private boolean isOurs(Leading leading) {
        return turn.sight.isHeldBy(leading.grant().holder())
                && turn.sight
                        .record()
                        .filter(r -> r.term() == leading.grant().term())
                        .isPresent();
    }

    /**
     * Decides by the record in the store what a conflict means (rule L7).
     *
     * <p>If the record shows the nonce of a remembered write, that write is confirmed, and L1 counts from its send. If
     * it shows this term by any other write, the deadline stays. Anything else ends the term.
     */
    void conflict(Leading leading, Attempt attempt, VersionedLease current) {
        LeaseRecord record = current.record().orElse(null);
        if (record == null || !isOurs(leading)) {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), standAgain(leading), "");
            return;
        }
        var ours = new ArrayList<>(leading.unresolved());
        ours.add(attempt);
        for (Attempt known : ours) {
            if (known.record().nonce().equals(record.nonce())) {
                confirm(leading, known, current.version());
                return;
            }
        }
        turn.become(leading.with(next -> {
            next.version = current.version();
            next.renewAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();
            next.unresolved = List.of();
        }));
        obey((Leading) turn.role(), current);
    }

    /** Obeys a pause or a step-down request in the record (rules M1, M4). */
    private void obey(Leading leading, VersionedLease current) {
        LeaseNotes notes = turn.sight.notes();
        Identity me = leading.grant().holder();
        if (notes.pause().isPresent()) {
            LeasePause pause = notes.pause().get();
            var paused = ended(leading, LossCause.PAUSED, "", pause.by(), pause.reason());
            finish(paused, Optional.of(current), new Next.Stand(me, 0));
            return;
        }
        notes.order().filter(order -> !order.to().equals(me.id())).ifPresent(order -> {
            LossCause cause = order.to().isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;
            long cooldown = turn.timing.resignCooldown().toNanos();
            var obeyed = ended(leading, cause, order.to(), order.by(), order.reason());
            finish(obeyed, Optional.of(current), new Next.Stand(me, cooldown));
        });
    }

    /**
     * Keeps the deadline after a write of unknown outcome (rule L7).
     *
     * <p>The next attempt goes over the same version and shows what became of this one: if it was stored, the conflict
     * shows its nonce. The machine remembers the last {@value #MAX_UNRESOLVED} attempts. If an older one was stored,
     * the deadline only ends earlier than it could.
     */
    void doubt(Leading leading, Attempt attempt, String reason) {
        var unresolved = new ArrayList<>(leading.unresolved());
        unresolved.add(attempt);
        if (unresolved.size() > MAX_UNRESOLVED) {
            unresolved.remove(0);
        }
        boolean renewal = leading.epoch().isEmpty();
        turn.become(leading.with(next -> {
            next.unresolved = unresolved;
            next.renewAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();
            next.inJeopardy = renewal || leading.inJeopardy();
        }));
        if (renewal && !leading.inJeopardy()) {
            tellJeopardy(leading, leading.grant(), reason);
        }
    }

    /** Reports jeopardy for a lease whose session has missed a renewal (rule L12). */
    void sessionDoubted(Leading leading, String reason) {
        if (leading.epoch().isPresent() && !leading.inJeopardy()) {
            turn.become(leading.with(next -> next.inJeopardy = true));
            tellJeopardy(leading, ownSession(leading).orElse(leading.grant()), reason);
        }
    }

    void sessionRecovered(Leading leading) {
        if (leading.epoch().isPresent() && leading.inJeopardy()) {
            turn.become(leading.with(next -> next.inJeopardy = false));
            turn.tell(new ElectionEvent.Recovered(leading.grant().term()));
        }
    }

    private void tellJeopardy(Leading leading, Grant grant, String reason) {
        turn.tell(new ElectionEvent.Jeopardy(leading.grant().term(), grant.remainingAt(turn.now), reason));
    }

    /** Ends the term. From here on no answer can revive it (rule L6, the latch). */
    void finish(Leading leading, LossCause cause, Optional<VersionedLease> mine, Next next, String heir) {
        finish(ended(leading, cause, heir, "", ""), mine, next);
    }

    private static Tenancy ended(Leading leading, LossCause cause, String heir, String by, String reason) {
        Grant grant = leading.grant();
        return new Tenancy(grant.holder(), grant.term(), cause, heir, leading.epoch(), by, reason);
    }

    private void finish(Tenancy tenancy, Optional<VersionedLease> mine, Next next) {
        // Work that stops on the loss gets this time before an overlap is reported.
        OptionalLong overlapAt = OptionalLong.of(turn.now.nanos() + turn.machine.retryPauseNanos());
        OptionalLong releaseAt = tenancy.epoch().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(turn.now.nanos() + turn.timing.ttl().toNanos());
        turn.become(new Stopping(tenancy, mine, overlapAt, releaseAt, next));
        // While this candidate holds the lease, a read shows nothing new. Otherwise it shows whether another leads
        // already.
        turn.lookAtNanos =
                mine.isPresent() ? turn.now.nanos() + turn.timing.ttl().toNanos() : turn.now.nanos();
        turn.tell(new ElectionEvent.Lost(tenancy.term(), tenancy.end()));
        turn.tellLeader(turn.leaderBySight());
    }

    /**
     * Returns the record to release; empty if this candidate does not hold it.
     *
     * <p>A renewal in flight may change its version. The answer to the renewal, or the conflict of the release, shows
     * the new version.
     */
    Optional<VersionedLease> mine(Leading leading) {
        return turn.sight.isHeldBy(leading.grant().holder())
                ? turn.sight.record().map(record -> VersionedLease.of(leading.version(), record))
                : Optional.empty();
    }

    /**
     * Returns the next role, with a delay that grows if terms expire again and again (rule M7).
     *
     * <p>The delay gives other candidates a chance.
     */
    private Next standAgain(Leading leading) {
        long pause = turn.strikes == 0 ? 0 : turn.machine.retryPauseNanos() << Math.min(turn.strikes, 20);
        long most = turn.timing.ttl().toNanos();
        return new Next.Stand(leading.grant().holder(), Math.min(pause, most));
    }
}
