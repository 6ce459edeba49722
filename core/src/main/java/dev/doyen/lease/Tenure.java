package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.lease.Role.Wanted;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules of leading: how a term begins, is renewed, falls into doubt and ends (L1, L4, L6, L7). */
final class Tenure {

    /** So many writes of unknown outcome are remembered; see {@link #doubt}. */
    static final int MAX_UNRESOLVED = 16;

    private final Turn turn;

    Tenure(Turn turn) {
        this.turn = turn;
    }

    /** Rule L4, before anything else is looked at: a leader past its deadline is none, whatever just came in. */
    void enforceDeadline() {
        if (turn.role instanceof Leading leading && !leading.grant().holdsAt(turn.now)) {
            boolean byNanos = turn.now.nanosSince(leading.grant().sentAt())
                    >= leading.grant().deadline().toNanos();
            finish(leading, byNanos ? LossCause.EXPIRED : LossCause.SUSPENDED, Optional.empty(), standAgain(leading));
        }
    }

    /**
     * The lease was taken. Rule L1: the deadline counts from before the send, so an answer may come too late to lead
     * by; the record is then our own, and is taken once more under a new term.
     */
    void begin(Identity me, Attempt attempt, LeaseVersion version) {
        LeaseRecord record = attempt.record();
        var grant = new Grant(me, record.term(), attempt.sentAt(), turn.timing.deadline(), record.state());
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
                false);
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
        Grant grant = leading.grant();
        var record = new LeaseRecord(
                turn.machine.election(),
                grant.holder().id(),
                grant.holder().incarnation(),
                grant.term(),
                turn.nonce(grant.holder()),
                turn.timing.ttl(),
                leading.acquiredAt(),
                Instant.ofEpochMilli(turn.now.wallMillis()),
                leading.wanted().state(),
                leading.wanted().version());
        var attempt = new Attempt(record, turn.now, leading.wanted().save());
        turn.write(Request.Kind.RENEW, leading.version(), attempt);
    }

    /** Rule L1: leading counts from before the send of the very write that is now known to be stored. */
    void confirm(Leading leading, Attempt attempt, LeaseVersion version) {
        Grant old = leading.grant();
        boolean later = attempt.sentAt().nanosSince(old.sentAt()) > 0;
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
        turn.role = leading.confirmed(grant, version, renewAtNanos, attempt.save());
        if (attempt.save() > leading.saved()) {
            turn.effect(new LeaseEffect.Saved(attempt.save()));
        }
        if (leading.inJeopardy()) {
            turn.tell(new ElectionEvent.Recovered(grant.term()));
        }
    }

    /**
     * Rule L7: what stands in the store decides. A write of ours whose answer was lost is thereby confirmed, with its
     * own time of sending; our term by a write no longer remembered keeps the old deadline; all else ends the term.
     */
    void conflict(Leading leading, Attempt attempt, VersionedLease current) {
        LeaseRecord record = current.record().orElse(null);
        if (record == null
                || !turn.sight.isHeldBy(leading.grant().holder())
                || record.term() != leading.grant().term()) {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), standAgain(leading));
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
    }

    /**
     * Rule L7: after an unknown outcome the deadline stays where it is. The next attempt, over the same version, asks
     * at the same time what became of this one: if it was stored, the conflict shows its nonce. The oldest of too many
     * is forgotten, which costs at most the time it would have added.
     */
    void doubt(Leading leading, Attempt attempt) {
        var unresolved = new ArrayList<>(leading.unresolved());
        unresolved.add(attempt);
        if (unresolved.size() > MAX_UNRESOLVED) {
            unresolved.remove(0);
        }
        turn.role = leading.doubting(unresolved, turn.now.nanos() + turn.machine.retryPauseNanos());
        if (!leading.inJeopardy()) {
            Grant grant = leading.grant();
            turn.tell(new ElectionEvent.Jeopardy(grant.term(), grant.remainingAt(turn.now)));
        }
    }

    /** Rule L6, the latch: from here on no answer can revive this term. */
    void finish(Leading leading, LossCause cause, Optional<VersionedLease> mine, Next next) {
        Grant grant = leading.grant();
        turn.role = new Stopping(grant.holder(), grant.term(), mine, next);
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

    private static Next standAgain(Leading leading) {
        return new Next.Stand(leading.grant().holder(), 0);
    }
}
