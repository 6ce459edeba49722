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
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of leading: how a term begins, is renewed, falls into doubt and ends (L1, L4, L6, L7, L12). */
final class Tenure {

    /** So many writes of unknown outcome are remembered; see {@link #doubt}. */
    static final int MAX_UNRESOLVED = 16;

    private final Turn turn;

    Tenure(Turn turn) {
        this.turn = turn;
    }

    /** Rule L4, before anything else is looked at: a leader past its deadline is none, whatever just came in. */
    void enforceDeadline() {
        if (!(turn.role instanceof Leading leading)) {
            return;
        }
        Grant grant = leading.epoch().isPresent() ? ownSession(leading).orElse(null) : leading.grant();
        if (grant == null) {
            // Rule L12: the session of that epoch is over, for whatever reason it had.
            finish(leading, LossCause.EXPIRED, Optional.empty(), standAgain(leading), "");
        } else if (!grant.holdsAt(turn.now)) {
            boolean byNanos =
                    turn.now.nanosSince(grant.sentAt()) >= grant.deadline().toNanos();
            Next next = standAgain(leading);
            turn.strikes++;
            finish(leading, byNanos ? LossCause.EXPIRED : LossCause.SUSPENDED, Optional.empty(), next, "");
        }
    }

    /** The grant of the session that the lease is held under, if it is still in the same epoch. */
    private Optional<Grant> ownSession(Leading leading) {
        return turn.sessions.own().filter(leading::isUnder).map(OwnSession::grant);
    }

    /**
     * The lease was taken. Rule L1: the deadline counts from before the send, so an answer may come too late to lead
     * by; the record is then our own, and is taken once more under a new term. Rule L12: so may the end of the session
     * it was taken under.
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
        turn.role = new Leading(
                grant,
                version,
                record.acquiredAt(),
                attempt.sentAt().nanos() + turn.timing.renewEvery().toNanos(),
                List.of(),
                new Wanted(record.state(), 0, record.stateVersion()),
                0,
                false,
                record.epoch(),
                record.notes());
        turn.tell(new ElectionEvent.Elected(record.term(), record.state()));
        turn.tellLeader(Optional.of(new Leader(me.id(), record.term())));
    }

    void save(Leading leading, LeaseInput.Save input) {
        var wanted = new Wanted(input.state(), input.save(), leading.wanted().version() + 1);
        turn.role = leading.wanting(wanted, turn.now.nanos());
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

    /** Rule L1: leading counts from before the send of the very write that is now known to be stored. */
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
        turn.role = leading.confirmed(
                grant, version, renewAtNanos, attempt.save(), leading.epoch().isPresent() && leading.inJeopardy());
        turn.strikes = 0;
        if (attempt.save() > leading.saved()) {
            turn.effect(new LeaseEffect.Saved(attempt.save()));
        }
        if (leading.inJeopardy() && leading.epoch().isEmpty()) {
            turn.tell(new ElectionEvent.Recovered(grant.term()));
        }
    }

    /** A leader under a session looks now and then, for it does not learn from renewals what others have written. */
    void looked(Leading leading, VersionedLease current) {
        if (isOurs(leading)) {
            turn.role = leading.at(current.version());
            obey((Leading) turn.role, current);
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
     * Rule L7: what stands in the store decides. A write of ours whose answer was lost is thereby confirmed, with its
     * own time of sending; our term by a write no longer remembered keeps the old deadline; all else ends the term.
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
        turn.role = leading.adopting(current.version(), turn.now.nanos() + turn.machine.retryPauseNanos());
        obey((Leading) turn.role, current);
    }

    /** Rules M1 and M4: what others have written into the record that one holds. */
    private void obey(Leading leading, VersionedLease current) {
        LeaseNotes notes = turn.sight.notes();
        Identity me = leading.grant().holder();
        if (notes.pause().isPresent()) {
            finish(leading, LossCause.PAUSED, Optional.of(current), new Next.Stand(me, 0), "");
            return;
        }
        notes.order().filter(order -> !order.to().equals(me.id())).ifPresent(order -> {
            LossCause cause = order.to().isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;
            long cooldown = turn.timing.resignCooldown().toNanos();
            finish(leading, cause, Optional.of(current), new Next.Stand(me, cooldown), order.to());
        });
    }

    /**
     * Rule L7: after an unknown outcome the deadline stays where it is. The next attempt, over the same version, asks
     * at the same time what became of this one: if it was stored, the conflict shows its nonce. The oldest of too many
     * is forgotten, which costs at most the time it would have added.
     */
    void doubt(Leading leading, Attempt attempt, String reason) {
        var unresolved = new ArrayList<>(leading.unresolved());
        unresolved.add(attempt);
        if (unresolved.size() > MAX_UNRESOLVED) {
            unresolved.remove(0);
        }
        boolean renewal = leading.epoch().isEmpty();
        turn.role = leading.doubting(
                unresolved, turn.now.nanos() + turn.machine.retryPauseNanos(), renewal || leading.inJeopardy());
        if (renewal && !leading.inJeopardy()) {
            tellJeopardy(leading, leading.grant(), reason);
        }
    }

    /** Rule L12: what befalls the session befalls every lease that is held under it. */
    void sessionDoubted(Leading leading, String reason) {
        if (leading.epoch().isPresent() && !leading.inJeopardy()) {
            turn.role = leading.inJeopardy(true);
            tellJeopardy(leading, ownSession(leading).orElse(leading.grant()), reason);
        }
    }

    void sessionRecovered(Leading leading) {
        if (leading.epoch().isPresent() && leading.inJeopardy()) {
            turn.role = leading.inJeopardy(false);
            turn.tell(new ElectionEvent.Recovered(leading.grant().term()));
        }
    }

    private void tellJeopardy(Leading leading, Grant grant, String reason) {
        turn.tell(new ElectionEvent.Jeopardy(leading.grant().term(), grant.remainingAt(turn.now), reason));
    }

    /** Rule L6, the latch: from here on no answer can revive this term. */
    void finish(Leading leading, LossCause cause, Optional<VersionedLease> mine, Next next, String heir) {
        Grant grant = leading.grant();
        // Work that stops at the news of the loss gets the time for that.
        OptionalLong overlapAt = OptionalLong.of(turn.now.nanos() + turn.machine.retryPauseNanos());
        var tenancy = new Tenancy(grant.holder(), grant.term(), cause, heir, leading.epoch());
        OptionalLong releaseAt = leading.epoch().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(turn.now.nanos() + turn.timing.ttl().toNanos());
        turn.role = new Stopping(tenancy, mine, overlapAt, releaseAt, next);
        // While the lease is one's own nothing is to be seen; later, whether somebody else leads already.
        turn.lookAtNanos =
                mine.isPresent() ? turn.now.nanos() + turn.timing.ttl().toNanos() : turn.now.nanos();
        turn.tell(new ElectionEvent.Lost(grant.term(), cause));
        turn.tellLeader(turn.leaderBySight());
    }

    /**
     * What is there to be released. What a renewal on its way makes of the version is learned from its answer, or from
     * the conflict that the release will meet.
     */
    Optional<VersionedLease> mine(Leading leading) {
        return turn.sight.isHeldBy(leading.grant().holder())
                ? turn.sight.record().map(record -> VersionedLease.of(leading.version(), record))
                : Optional.empty();
    }

    /** Who loses its leases again and again, though it gets them, leaves the others more and more of a chance. */
    private Next standAgain(Leading leading) {
        long pause = turn.strikes == 0 ? 0 : turn.machine.retryPauseNanos() << Math.min(turn.strikes, 20);
        long most = turn.timing.ttl().toNanos();
        return new Next.Stand(leading.grant().holder(), Math.min(pause, most));
    }
}
