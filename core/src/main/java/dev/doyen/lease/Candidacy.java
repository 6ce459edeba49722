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
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules of getting in and out: watching, standing, taking the lease, giving it back; and the way of every input to
 * the rule that decides it. What happens between taking and giving back is {@link Tenure}'s.
 */
final class Candidacy implements LeaseInput.Cases {

    private final Turn turn;
    private final Tenure tenure;

    Candidacy(Turn turn, Tenure tenure) {
        this.turn = turn;
        this.tenure = tenure;
    }

    // ---- before and after every input

    /** A request without an answer for too long counts as unknown; a later answer to it finds nobody waiting. */
    void giveUpOnSlowRequest() {
        Request request = turn.inFlight;
        if (request == null
                || turn.now.nanosSince(request.sentAt())
                        < turn.timing.requestTimeout().toNanos()) {
            return;
        }
        turn.inFlight = null;
        if (request.write() != null) {
            writeUnknown(request.kind(), request.write());
        }
    }

    /** A release that does not get through is left to expiry. */
    void giveUpOnRelease() {
        if (turn.role instanceof Releasing releasing && turn.isDue(releasing.giveUpAtNanos())) {
            turn.inFlight = null;
            proceed(releasing.next());
        }
    }

    /** A lease that was seen to run out names nobody any more. */
    void noticeExpiry() {
        if (!(turn.role instanceof Leading)) {
            turn.tellLeader(turn.leaderBySight());
        }
    }

    /** Sends the next request, if one is due and none is on its way. */
    void act() {
        if (turn.inFlight != null || turn.role instanceof Gone) {
            return;
        }
        if (turn.role instanceof Leading leading) {
            tenure.renewIfDue(leading);
        } else if (turn.role instanceof Stopping stopping && stopping.mine().isPresent()) {
            // The release comes next, as soon as the work has stopped; nothing may be in its way then.
            return;
        } else if (turn.role instanceof Releasing releasing && releasing.mine().isPresent()) {
            release(releasing, releasing.mine().get());
        } else if (turn.role instanceof Standing standing
                && mayTake(standing)
                && turn.isDue(standing.notBeforeNanos())) {
            acquire(standing);
        } else if (turn.isDue(turn.lookAtNanos)) {
            turn.look();
        }
    }

    // ---- inputs

    @Override
    public void woken(LeaseInput.Woken input) {}

    @Override
    public void noticed(LeaseInput.Noticed input) {
        // A leader's own writes are announced too; anybody else's will show as a conflict at the next renewal.
        if (!(turn.role instanceof Leading)) {
            turn.lookAtNanos = turn.now.nanos();
        }
    }

    @Override
    public void looked(LeaseInput.Looked input) {
        if (turn.answered(input.request()) == null) {
            return;
        }
        turn.observe(input.found());
        if (turn.role instanceof Releasing releasing) {
            releaseOver(releasing, input.found());
        } else if (turn.role instanceof Standing standing) {
            sayIfBlocked(standing);
        }
    }

    @Override
    public void lookFailed(LeaseInput.LookFailed input) {
        // The next look was set when this one was sent.
        turn.answered(input.request());
    }

    @Override
    public void answered(LeaseInput.Answered input) {
        Request request = turn.answered(input.request());
        if (request == null || request.write() == null) {
            return;
        }
        Attempt attempt = request.write();
        input.outcome().accept(new CasOutcome.Cases() {
            @Override
            public void written(CasOutcome.Written outcome) {
                writeConfirmed(request.kind(), attempt, outcome.version());
            }

            @Override
            public void conflict(CasOutcome.Conflict outcome) {
                writeConflicted(request.kind(), attempt, outcome.current());
            }

            @Override
            public void unknown(CasOutcome.Unknown outcome) {
                writeUnknown(request.kind(), attempt);
            }
        });
    }

    @Override
    public void stand(LeaseInput.Stand input) {
        if (turn.role instanceof Observing) {
            turn.role = new Standing(input.identity(), turn.now.nanos());
            if (!turn.sight.isFreeAt(turn.now)) {
                turn.lookAtNanos = turn.now.nanos();
            }
        } else {
            redirect(new Next.Stand(input.identity(), 0));
        }
    }

    @Override
    public void withdraw(LeaseInput.Withdraw input) {
        endCandidacy(LossCause.RESIGNED, new Next.Observe());
    }

    @Override
    public void leave(LeaseInput.Leave input) {
        endCandidacy(LossCause.CLOSED, new Next.End());
    }

    @Override
    public void resign(LeaseInput.Resign input) {
        if (turn.role instanceof Leading leading) {
            var next = new Next.Stand(leading.grant().holder(), input.cooldown().toNanos());
            tenure.finish(leading, LossCause.RESIGNED, tenure.mine(leading), next);
        } else if (!(turn.role instanceof Stopping || turn.role instanceof Releasing)) {
            turn.effect(new LeaseEffect.Settled());
        }
    }

    @Override
    public void workStopped(LeaseInput.WorkStopped input) {
        if (turn.role instanceof Stopping stopping && stopping.term() == input.term()) {
            if (stopping.mine().isEmpty()) {
                proceed(stopping.next());
            } else {
                turn.role = new Releasing(stopping.me(), stopping.mine(), giveUpAtNanos(), stopping.next());
            }
        }
    }

    @Override
    public void save(LeaseInput.Save input) {
        if (turn.role instanceof Leading leading) {
            tenure.save(leading, input);
        }
    }

    // ---- taking the lease

    /** Rule L3; a record under one's own incarnation needs no waiting, for nobody else acts under it. */
    private boolean mayTake(Standing standing) {
        return turn.sight.isFreeAt(turn.now) || (turn.sight.isKnown() && turn.sight.isHeldBy(standing.me()));
    }

    private void acquire(Standing standing) {
        LeaseRecord previous = turn.sight.record().orElse(null);
        Instant wall = Instant.ofEpochMilli(turn.now.wallMillis());
        var record = new LeaseRecord(
                turn.machine.election(),
                standing.me().id(),
                standing.me().incarnation(),
                turn.sight.highestTerm() + 1,
                turn.nonce(standing.me()),
                turn.timing.ttl(),
                wall,
                wall,
                previous == null ? HandOverState.EMPTY : previous.state(),
                previous == null ? 0 : previous.stateVersion());
        turn.write(Request.Kind.ACQUIRE, turn.sight.knownVersion(), new Attempt(record, turn.now, 0));
    }

    private void sayIfBlocked(Standing standing) {
        if (!mayTake(standing)) {
            turn.sight.leaderAt(turn.now).ifPresent(leader -> turn.effect(new LeaseEffect.Blocked(leader)));
        }
    }

    // ---- giving it back

    private void endCandidacy(LossCause cause, Next next) {
        Request request = turn.inFlight;
        if (turn.role instanceof Leading leading) {
            tenure.finish(leading, cause, tenure.mine(leading), next);
        } else if (turn.role instanceof Standing standing && request != null && request.write() != null) {
            // An acquire is on its way and may be stored: what it may have won is given back.
            turn.role = new Releasing(standing.me(), Optional.empty(), giveUpAtNanos(), next);
            turn.lookAtNanos = turn.now.nanos();
        } else if (turn.role instanceof Observing || turn.role instanceof Standing) {
            proceed(next);
        } else {
            redirect(next);
        }
    }

    private void release(Releasing releasing, VersionedLease mine) {
        LeaseRecord held = mine.record().orElseThrow();
        var record = new LeaseRecord(
                turn.machine.election(),
                "",
                "",
                held.term(),
                turn.nonce(releasing.me()),
                held.ttl(),
                held.acquiredAt(),
                Instant.ofEpochMilli(turn.now.wallMillis()),
                held.state(),
                held.stateVersion());
        turn.write(Request.Kind.RELEASE, mine.version(), new Attempt(record, turn.now, 0));
    }

    /** Goes on releasing if what the store holds is still one's own; else there is nothing left to give back. */
    private void releaseOver(Releasing releasing, VersionedLease current) {
        if (turn.sight.isHeldBy(releasing.me())) {
            turn.role = releasing.holding(Optional.of(current));
        } else {
            proceed(releasing.next());
        }
    }

    private long giveUpAtNanos() {
        return turn.now.nanos() + turn.timing.ttl().toNanos();
    }

    private void proceed(Next next) {
        if (next instanceof Next.Stand stand) {
            turn.role = new Standing(stand.me(), turn.now.nanos() + stand.cooldownNanos());
        } else if (next instanceof Next.Observe) {
            turn.role = new Observing();
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

    private void redirect(Next next) {
        if (turn.role instanceof Stopping stopping) {
            turn.role = stopping.then(next);
        } else if (turn.role instanceof Releasing releasing) {
            turn.role = releasing.then(next);
        } else if (!(turn.role instanceof Gone)) {
            throw new IllegalStateException("already a candidate: " + turn.role);
        }
    }

    // ---- answers, by what was asked and what has become of it since

    private void writeConfirmed(Request.Kind kind, Attempt attempt, LeaseVersion version) {
        VersionedLease stored = VersionedLease.of(version, attempt.record());
        turn.observe(stored);
        if (turn.role instanceof Standing standing && kind == Request.Kind.ACQUIRE) {
            tenure.begin(standing.me(), attempt, version);
        } else if (turn.role instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.confirm(leading, attempt, version);
        } else if (turn.role instanceof Stopping stopping && stopping.mine().isPresent()) {
            turn.role = stopping.holding(Optional.of(stored));
        } else if (turn.role instanceof Releasing releasing) {
            releaseOver(releasing, stored);
        }
    }

    private void writeConflicted(Request.Kind kind, Attempt attempt, VersionedLease current) {
        turn.observe(current);
        if (turn.role instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.conflict(leading, attempt, current);
        } else if (turn.role instanceof Standing standing) {
            sayIfBlocked(standing);
        } else if (turn.role instanceof Stopping stopping && stopping.mine().isPresent()) {
            boolean stillMine = turn.sight.isHeldBy(stopping.me());
            turn.role = stopping.holding(stillMine ? Optional.of(current) : Optional.empty());
        } else if (turn.role instanceof Releasing releasing) {
            releaseOver(releasing, current);
        }
    }

    private void writeUnknown(Request.Kind kind, Attempt attempt) {
        long retryAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();
        if (turn.role instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.doubt(leading, attempt);
        } else if (turn.role instanceof Standing standing) {
            turn.role = new Standing(standing.me(), retryAtNanos);
            turn.lookAtNanos = retryAtNanos;
        } else if (turn.role instanceof Releasing releasing) {
            turn.role = releasing.holding(Optional.empty());
            turn.lookAtNanos = retryAtNanos;
        }
    }
}
