package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.EndedTerm;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Stopping;
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
final class LeaseRenewal {

    /** How many writes of unknown outcome are remembered; see {@link #doubt}. */
    static final int MAX_UNRESOLVED = 16;

    private final StepContext step;

    LeaseRenewal(StepContext step) {
        this.step = step;
    }

    /**
     * Ends the term if its deadline has passed (rule L4).
     *
     * <p>This check comes before any input is processed, so a leader past its deadline does not act on the input.
     */
    void enforceDeadline() {
        if (!(step.role() instanceof Leading leading)) {
            return;
        }
        LeaderLease leaderLease =
                leading.epoch().isPresent() ? ownSession(leading).orElse(null) : leading.leaderLease();
        if (leaderLease == null) {
            // The session has left that epoch (rule L12).
            finish(leading, LossCause.EXPIRED, Optional.empty(), campaignAgain(leading), "");
        } else if (!leaderLease.holdsAt(step.now)) {
            boolean byNanos = step.now.nanosSince(leaderLease.sentAt())
                    >= leaderLease.deadline().toNanos();
            Next next = campaignAgain(leading);
            if (leading.epoch().isEmpty()) {
                // Under a session only the session record counts, because the process renews only that one (rule M7).
                step.expiredInARow++;
            }
            finish(leading, byNanos ? LossCause.EXPIRED : LossCause.SUSPENDED, Optional.empty(), next, "");
        }
    }

    /** Returns the right to lead the session of this lease, if the session is still in the same epoch. */
    private Optional<LeaderLease> ownSession(Leading leading) {
        return step.sessions.own().filter(leading::isUnder).map(OwnSession::leaderLease);
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
                new Wanted(record.state(), 0, record.stateVersion()),
                0,
                false,
                record.epoch(),
                record.notes()));
        step.report(new ElectionEvent.Elected(record.term(), record.state()));
        step.reportLeader(Optional.of(new Leader(me.id(), record.term())));
    }

    void save(Leading leading, LeaseInput.Save input) {
        var wanted = new Wanted(input.state(), input.save(), leading.wanted().version() + 1);
        step.become(leading.with(next -> {
            next.wanted = wanted;
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
                leading.wanted().state(),
                leading.wanted().version(),
                leading.epoch(),
                leading.notes().heldWith(step.takeoverPolicy.shownPriority()));
        var attempt = new Attempt(record, step.now, leading.wanted().save());
        step.write(Request.Kind.RENEW, leading.version(), attempt);
    }

    /** Extends the deadline, which counts from before the send of the confirmed write (rule L1). */
    void confirm(Leading leading, Attempt attempt, LeaseVersion version) {
        LeaderLease old = leading.leaderLease();
        boolean later = leading.epoch().isEmpty() && attempt.sentAt().nanosSince(old.sentAt()) > 0;
        var leaderLease = new LeaderLease(
                old.holder(),
                old.term(),
                later ? attempt.sentAt() : old.sentAt(),
                old.deadline(),
                attempt.record().state());
        boolean moreToSave = attempt.save() < leading.wanted().save();
        long renewAtNanos = moreToSave
                ? step.now.nanos()
                : leaderLease.sentAt().nanos() + step.timing.renewEvery().toNanos();
        step.become(leading.with(next -> {
            next.leaderLease = leaderLease;
            next.version = version;
            next.renewAtNanos = renewAtNanos;
            // The store can carry out no write that is older than a confirmed one.
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
     * <p>This leader does not renew the record, so no conflict shows it what others have written.
     */
    void readAnswered(Leading leading, VersionedLease current) {
        if (isOurs(leading)) {
            step.become(leading.with(next -> next.version = current.version()));
            applyCommand((Leading) step.role(), current);
        } else {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), campaignAgain(leading), "");
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
     * Decides by the record in the store what a conflict means (rule L7).
     *
     * <p>If the record shows the nonce of a remembered write, that write is confirmed, and L1 counts from its send. If
     * it shows this term by any other write, the deadline stays. Anything else ends the term.
     */
    void conflict(Leading leading, Attempt attempt, VersionedLease current) {
        LeaseRecord record = current.record().orElse(null);
        if (record == null || !isOurs(leading)) {
            finish(leading, LossCause.SUPERSEDED, Optional.empty(), campaignAgain(leading), "");
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

    /** Obeys a pause or a step-down request in the record (rules M1, M4). */
    private void applyCommand(Leading leading, VersionedLease current) {
        LeaseNotes notes = step.observed.notes();
        Identity me = leading.leaderLease().holder();
        if (notes.pause().isPresent()) {
            LeasePause pause = notes.pause().get();
            var paused = ended(leading, LossCause.PAUSED, "", pause.by(), pause.reason());
            finish(paused, Optional.of(current), new Next.Campaign(me, 0));
            return;
        }
        notes.stepDown().filter(order -> !order.to().equals(me.id())).ifPresent(order -> {
            LossCause cause = order.to().isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;
            long cooldown = step.timing.resignCooldown().toNanos();
            var obeyed = ended(leading, cause, order.to(), order.by(), order.reason());
            finish(obeyed, Optional.of(current), new Next.Campaign(me, cooldown));
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
        step.become(leading.with(next -> {
            next.unresolved = unresolved;
            next.renewAtNanos = step.now.nanos() + step.machine.retryPauseNanos();
            next.inJeopardy = renewal || leading.inJeopardy();
        }));
        if (renewal && !leading.inJeopardy()) {
            reportJeopardy(leading, leading.leaderLease(), reason);
        }
    }

    /** Reports jeopardy for a lease whose session has missed a renewal (rule L12). */
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

    /** Ends the term. From here on no answer can revive it (rule L6, the latch). */
    void finish(Leading leading, LossCause cause, Optional<VersionedLease> mine, Next next, String successor) {
        finish(ended(leading, cause, successor, "", ""), mine, next);
    }

    private static EndedTerm ended(Leading leading, LossCause cause, String successor, String by, String reason) {
        LeaderLease leaderLease = leading.leaderLease();
        return new EndedTerm(leaderLease.holder(), leaderLease.term(), cause, successor, leading.epoch(), by, reason);
    }

    private void finish(EndedTerm endedTerm, Optional<VersionedLease> mine, Next next) {
        // Work that stops on the loss gets this time before an overlap is reported.
        OptionalLong overlapAt = OptionalLong.of(step.now.nanos() + step.machine.retryPauseNanos());
        OptionalLong releaseAt = endedTerm.epoch().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(step.now.nanos() + step.timing.ttl().toNanos());
        step.become(new Stopping(endedTerm, mine, overlapAt, releaseAt, next));
        // While this candidate holds the lease, a read shows nothing new. Otherwise it shows whether another leads
        // already.
        step.readAtNanos =
                mine.isPresent() ? step.now.nanos() + step.timing.ttl().toNanos() : step.now.nanos();
        step.report(new ElectionEvent.Lost(endedTerm.term(), endedTerm.end()));
        step.reportLeader(step.observedLeader());
    }

    /**
     * Returns the record to release; empty if this candidate does not hold it.
     *
     * <p>A renewal in flight may change its version. The answer to the renewal, or the conflict of the release, shows
     * the new version.
     */
    Optional<VersionedLease> mine(Leading leading) {
        return step.observed.isHeldBy(leading.leaderLease().holder())
                ? step.observed.record().map(record -> VersionedLease.of(leading.version(), record))
                : Optional.empty();
    }

    /**
     * Returns the next role, with a delay that grows if terms expire again and again (rule M7).
     *
     * <p>The delay gives other candidates a chance.
     */
    private Next campaignAgain(Leading leading) {
        long pause = step.expiredInARow == 0 ? 0 : step.machine.retryPauseNanos() << Math.min(step.expiredInARow, 20);
        long most = step.timing.ttl().toNanos();
        return new Next.Campaign(leading.leaderLease().holder(), Math.min(pause, most));
    }
}
