package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.DesiredState;
import dev.doyen.lease.Role.EndedTerm;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Stopping;
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

/** Begins, renews and ends a leadership (L1, L4, L6, L7, L12). */
final class LeaseRenewal {

    /** The maximum number of writes of unknown outcome that are remembered; see {@link #doubt}. */
    static final int MAX_UNRESOLVED = 16;

    private final StepContext step;

    LeaseRenewal(StepContext step) {
        this.step = step;
    }

    /**
     * Ends the term if its deadline has passed (rule L4).
     *
     * <p>The machine calls this method before it processes an input. So a leader whose deadline has passed no longer
     * leads when it processes the input.
     */
    void enforceDeadline() {
        if (!(step.role() instanceof Leading leading)) {
            return;
        }
        LeaderLease leaderLease =
                leading.epoch().isPresent() ? ownSession(leading).orElse(null) : leading.leaderLease();
        if (leaderLease == null) {
            // The session is no longer in the epoch of this lease (rule L12).
            finish(leading, LossCause.EXPIRED, Optional.empty(), campaignAgain(leading));
        } else if (!leaderLease.holdsAt(step.now)) {
            boolean byNanos = step.now.nanosSince(leaderLease.sentAt())
                    >= leaderLease.deadline().toNanos();
            Next next = campaignAgain(leading);
            if (leading.epoch().isEmpty()) {
                // Count only the expiries of leases without a session. Under a session, the machine of the session
                // record counts the expiries (rule M7).
                step.expiredInARow++;
            }
            finish(leading, byNanos ? LossCause.EXPIRED : LossCause.SUSPENDED, Optional.empty(), next);
        }
    }

    /** Returns the leader lease of the session. The result is empty if the epoch of the lease has ended. */
    private Optional<LeaderLease> ownSession(Leading leading) {
        return step.sessions.own().filter(leading::isUnder).map(OwnSession::leaderLease);
    }

    /**
     * Begins a term after the store has confirmed the acquire, unless the answer is late.
     *
     * <p>The answer is late if the deadline has passed. Without a session, the deadline counts from just before the
     * acquire was sent (rule L1). Under a session, the deadline of the session applies, and the answer is also late if
     * the epoch has ended (rule L12). After a late answer, the record contains this candidate as the holder, and the
     * candidate tries to acquire the lease again in a new term.
     */
    void begin(Identity me, Attempt attempt, LeaseVersion version) {
        LeaseRecord record = attempt.record();
        Moment sentAt = attempt.sentAt();
        Duration deadline = step.timing.deadline();
        if (record.epoch().isPresent()) {
            Optional<OwnSession> session =
                    step.sessions.own().filter(own -> record.epoch().equals(Optional.of(own.epoch())));
            if (session.isEmpty()) {
                return;
            }
            sentAt = session.get().leaderLease().sentAt();
            deadline = session.get().leaderLease().deadline();
        }
        var leaderLease = new LeaderLease(me, record.term(), sentAt, deadline, record.state());
        if (!leaderLease.holdsAt(step.now)) {
            return;
        }
        step.become(new Leading(
                leaderLease,
                version,
                record.acquiredAt(),
                attempt.sentAt().nanos() + step.timing.renewEvery().toNanos(),
                List.of(),
                new DesiredState(record.state(), 0, record.stateVersion()),
                0,
                false,
                record.epoch(),
                record.notes()));
        step.report(new ElectionEvent.Elected(record.term(), record.state()));
        step.reportLeader(Optional.of(new Leader(me.id(), record.term())));
    }

    void save(Leading leading, LeaseInput.Save input) {
        var desired =
                new DesiredState(input.state(), input.save(), leading.desired().version() + 1);
        step.become(leading.with(next -> {
            next.desired = desired;
            next.renewAtNanos = step.now.nanos();
        }));
    }

    void renewIfDue(Leading leading) {
        if (!step.isDue(leading.renewAtNanos())) {
            return;
        }
        renew(leading);
    }

    private void renew(Leading leading) {
        LeaderLease leaderLease = leading.leaderLease();
        var record = new LeaseRecord(
                step.machine.election(),
                leaderLease.holder().id(),
                leaderLease.holder().incarnation(),
                leaderLease.term(),
                step.nonce(leaderLease.holder().incarnation()),
                step.timing.ttl(),
                leading.acquiredAt(),
                Instant.ofEpochMilli(step.now.wallMillis()),
                leading.desired().state(),
                leading.desired().version(),
                leading.epoch(),
                step.takeoverPolicy.asHolder(leading.notes()));
        var attempt = new Attempt(record, step.now, leading.desired().save());
        step.write(RequestKind.RENEW, leading.version(), attempt);
    }

    /**
     * Records a confirmed write. Without a session, the deadline then counts from just before this write was sent (rule
     * L1).
     */
    void confirm(Leading leading, Attempt attempt, LeaseVersion version) {
        LeaderLease old = leading.leaderLease();
        boolean later = leading.epoch().isEmpty() && attempt.sentAt().nanosSince(old.sentAt()) > 0;
        var leaderLease = new LeaderLease(
                old.holder(),
                old.term(),
                later ? attempt.sentAt() : old.sentAt(),
                old.deadline(),
                attempt.record().state());
        boolean moreToSave = attempt.save() < leading.desired().save();
        long renewAtNanos = moreToSave
                ? step.now.nanos()
                : leaderLease.sentAt().nanos() + step.timing.renewEvery().toNanos();
        step.become(leading.with(next -> {
            next.leaderLease = leaderLease;
            next.version = version;
            next.renewAtNanos = renewAtNanos;
            // An older write can no longer succeed, because the confirmed write has changed the version.
            next.unresolved = List.of();
            next.saved = attempt.save();
            next.inJeopardy = leading.epoch().isPresent() && leading.inJeopardy();
        }));
        step.expiredInARow = 0;
        if (attempt.save() > leading.saved()) {
            step.effect(new LeaseEffect.Saved(attempt.save()));
        }
        if (leading.inJeopardy() && leading.epoch().isEmpty()) {
            step.report(new ElectionEvent.Recovered(leaderLease.term()));
        }
    }

    /**
     * Checks the record that a leader under a session has read (rule L12.5).
     *
     * <p>This leader does not renew the record, so no conflict of a renewal reveals the writes of other participants.
     * The leader detects these writes when it reads the record, or when a save conflicts.
     *
     * <p>A record of an older term is a stale read, or the store has lost a write. The leader cannot distinguish the
     * two cases, so it ends the term. If the read was stale, the candidate still holds the lease and must release it.
     *
     * @param mine the record that this leader held before the read
     */
    void readAnswered(Leading leading, VersionedLease current, Optional<VersionedLease> mine) {
        if (isOurs(leading)) {
            step.become(leading.with(next -> next.version = current.version()));
            applyCommand((Leading) step.role(), current);
        } else {
            boolean isOlder = current.record()
                    .filter(found -> found.term() < leading.leaderLease().term())
                    .isPresent();
            finish(leading, LossCause.SUPERSEDED, isOlder ? mine : Optional.empty(), campaignAgain(leading));
        }
    }

    private boolean isOurs(Leading leading) {
        return step.observed.isHeldBy(leading.leaderLease().holder())
                && step.observed
                        .record()
                        .filter(r -> r.term() == leading.leaderLease().term())
                        .isPresent();
    }

    /**
     * Handles a conflict according to the record in the store (rule L7).
     *
     * <p>If the record contains the nonce of a remembered write of this leader, that write has succeeded. Without a
     * session, the deadline then counts from just before that write was sent (rule L1). If the record contains this
     * term but no such nonce, usually another participant has written notes. In this case the deadline does not change.
     * A missing record or any other record ends the term.
     */
    void conflict(Leading leading, Attempt attempt, VersionedLease current) {
        LeaseRecord record = current.record().orElse(null);
        if (record == null || !isOurs(leading)) {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), campaignAgain(leading));
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
        step.become(leading.with(next -> {
            next.version = current.version();
            next.renewAtNanos = step.now.nanos() + step.machine.retryPauseNanos();
            next.unresolved = List.of();
        }));
        applyCommand((Leading) step.role(), current);
    }

    /** Carries out a pause or a step-down request in the record (rules M1, M4). */
    private void applyCommand(Leading leading, VersionedLease current) {
        LeaseNotes notes = step.observed.notes();
        Identity me = leading.leaderLease().holder();
        if (notes.pause().isPresent()) {
            LeaseNotes.Pause pause = notes.pause().get();
            var paused = ended(leading, LossCause.PAUSED, "", pause.by(), pause.reason());
            finish(paused, Optional.of(current), new Next.Campaign(me, 0));
            return;
        }
        notes.stepDown().filter(order -> !order.to().equals(me.id())).ifPresent(order -> {
            var resigned = ended(leading, causeOf(order.to()), order.to(), order.by(), order.reason());
            long cooldown = step.timing.resignCooldown().toNanos();
            finish(resigned, Optional.of(current), new Next.Campaign(me, cooldown));
        });
    }

    /** Steps down because this process or an admin demands it. */
    void stepDown(Leading leading, LeaseInput.Resign input) {
        var resigned = ended(leading, causeOf(input.successor()), input.successor(), input.by(), input.reason());
        Identity me = leading.leaderLease().holder();
        finish(resigned, mine(leading), new Next.Campaign(me, input.cooldown().toNanos()));
    }

    private static LossCause causeOf(String successor) {
        return successor.isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;
    }

    /**
     * Leaves the deadline unchanged after a write of unknown outcome (rule L7).
     *
     * <p>The next attempt expects the same version. If the store has carried out this write, the next attempt
     * conflicts, and the conflict returns the nonce of this write. The machine remembers the last
     * {@value #MAX_UNRESOLVED} attempts. If the store has carried out an attempt that is no longer remembered, the term
     * can end earlier than necessary.
     *
     * <p>If the store rejects the renewal because of a missing right, the leader repeats it only at the ordinary rate.
     */
    void doubt(Leading leading, Attempt attempt, StoreFault fault) {
        var unresolved = new ArrayList<>(leading.unresolved());
        unresolved.add(attempt);
        if (unresolved.size() > MAX_UNRESOLVED) {
            unresolved.remove(0);
        }
        boolean renewal = leading.epoch().isEmpty();
        step.become(leading.with(next -> {
            next.unresolved = unresolved;
            next.renewAtNanos = step.now.nanos()
                    + (fault.refused() ? step.timing.renewEvery().toNanos() : step.machine.retryPauseNanos());
            next.inJeopardy = renewal || leading.inJeopardy();
        }));
        if (renewal && !leading.inJeopardy()) {
            reportJeopardy(leading, leading.leaderLease(), fault.reason());
        }
    }

    /** Reports jeopardy, because a renewal of the session has failed (rule L12). */
    void sessionDoubted(Leading leading, String reason) {
        if (leading.epoch().isPresent() && !leading.inJeopardy()) {
            step.become(leading.with(next -> next.inJeopardy = true));
            reportJeopardy(leading, ownSession(leading).orElse(leading.leaderLease()), reason);
        }
    }

    void sessionRecovered(Leading leading) {
        if (leading.epoch().isPresent() && leading.inJeopardy()) {
            step.become(leading.with(next -> next.inJeopardy = false));
            step.report(new ElectionEvent.Recovered(leading.leaderLease().term()));
        }
    }

    private void reportJeopardy(Leading leading, LeaderLease leaderLease, String reason) {
        step.report(
                new ElectionEvent.Jeopardy(leading.leaderLease().term(), leaderLease.remainingAt(step.now), reason));
    }

    /** Ends the term. No later answer makes the term valid again (rule L6, the latch). */
    void finish(Leading leading, LossCause cause, Optional<VersionedLease> mine, Next next) {
        finish(ended(leading, cause, "", "", ""), mine, next);
    }

    private static EndedTerm ended(Leading leading, LossCause cause, String successor, String by, String reason) {
        LeaderLease leaderLease = leading.leaderLease();
        return new EndedTerm(leaderLease.holder(), leaderLease.term(), cause, successor, leading.epoch(), by, reason);
    }

    private void finish(EndedTerm endedTerm, Optional<VersionedLease> mine, Next next) {
        // An overlap is reported only after this time, so that the work has time to stop after the loss.
        OptionalLong overlapAt = OptionalLong.of(step.now.nanos() + step.machine.retryPauseNanos());
        OptionalLong releaseAt = endedTerm.epoch().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(step.now.nanos() + step.timing.ttl().toNanos());
        step.become(new Stopping(endedTerm, mine, overlapAt, releaseAt, next));
        // If this candidate holds the record, a read returns nothing new, so the machine reads only after one ttl.
        // Otherwise another candidate possibly leads already, so the machine reads at once.
        step.readAtNanos =
                mine.isPresent() ? step.now.nanos() + step.timing.ttl().toNanos() : step.now.nanos();
        step.report(new ElectionEvent.Lost(endedTerm.term(), endedTerm.end()));
        step.reportLeader(step.observedLeader());
    }

    /**
     * Returns the record to release; empty if this candidate does not hold it.
     *
     * <p>A renewal in flight can change the version of the record. The answer to the renewal, or the conflict of the
     * release, contains the new version.
     */
    Optional<VersionedLease> mine(Leading leading) {
        return step.observed.isHeldBy(leading.leaderLease().holder())
                ? step.observed.record().map(record -> VersionedLease.of(leading.version(), record))
                : Optional.empty();
    }

    /**
     * Returns the next role, in which the candidate campaigns again after a delay (rule M7).
     *
     * <p>The delay is zero unless an earlier term has expired since the last renewal. The delay grows with each
     * consecutive expiry, up to one ttl. During the delay, other candidates can acquire the lease.
     */
    private Next campaignAgain(Leading leading) {
        long pause = step.expiredInARow == 0 ? 0 : step.machine.retryPauseNanos() << Math.min(step.expiredInARow, 20);
        long most = step.timing.ttl().toNanos();
        return new Next.Campaign(leading.leaderLease().holder(), Math.min(pause, most));
    }
}
