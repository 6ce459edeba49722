package dev.doyen.lease;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.Next;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The requests of a candidate: read, step-down request or acquire (L3, L12, M5, M8). */
final class Candidacy {

    private final StepContext step;
    private final LeaseRelease leaseRelease;

    Candidacy(StepContext step, LeaseRelease leaseRelease) {
        this.step = step;
        this.leaseRelease = leaseRelease;
    }

    /** Sends the request that is due, if any: acquire, read or step-down request. */
    void sendNext(Campaigning campaigning) {
        boolean may = step.eligibility.mayCampaign() && !step.takeoverPolicy.isPaused();
        if (!may && step.observed.isHeldBy(campaigning.me())) {
            // The record shows that this candidate has acquired the lease by a write whose answer was lost. The
            // candidate may no longer campaign, so it releases the lease.
            leaseRelease.giveBackUnused(campaigning, LossCause.UNHEALTHY, new Next.Campaign(campaigning.me(), 0));
            return;
        }
        OptionalLong takeAt = step.takeAt(campaigning);
        Optional<LeaseNotes.StepDownRequest> order = step.takeoverPolicy.stepDownRequest(campaigning);
        if (takeAt.isPresent() && step.isDue(takeAt.getAsLong())) {
            acquire(campaigning);
        } else if (step.isDue(step.readAtNanos)) {
            step.read();
        } else if (order.isPresent()) {
            requestStepDown(campaigning, order.get());
        }
        if (may) {
            step.observed
                    .silentSession(step.now, step.sessions)
                    .ifPresent(session -> step.effect(new LeaseEffect.Fence(session)));
        }
    }

    /**
     * Acquires the lease by compare-and-set over the observed version (rules L3, L12).
     *
     * <p>The new term is one above the highest term that this candidate has observed.
     */
    private void acquire(Campaigning campaigning) {
        LeaseRecord previous = step.observed.record().orElse(null);
        Instant wall = Instant.ofEpochMilli(step.now.wallMillis());
        var record = new LeaseRecord(
                step.machine.election(),
                campaigning.me().id(),
                campaigning.me().incarnation(),
                step.observed.highestTerm() + 1,
                step.nonce(campaigning.me().incarnation()),
                step.timing.ttl(),
                wall,
                wall,
                previous == null ? SavedState.EMPTY : previous.state(),
                previous == null ? 0 : previous.stateVersion(),
                step.machine.renewalMode() == RenewalMode.RENEWS_LEASE
                        ? Optional.empty()
                        : step.sessions.own().map(OwnSession::epoch),
                notesOnTaking(previous, wall));
        step.write(RequestKind.ACQUIRE, step.observed.knownVersion(), new Attempt(record, step.now, 0));
    }

    /**
     * Returns the notes for the record of the new term. If the previous term expired, this method adds that term to the
     * history in the notes.
     */
    private LeaseNotes notesOnTaking(@Nullable LeaseRecord previous, Instant wall) {
        if (previous == null) {
            return step.takeoverPolicy.asHolder(LeaseNotes.NONE);
        }
        LeaseNotes notes = previous.notes();
        if (previous.isHeld()) {
            Instant until = previous.epoch().isPresent() ? wall : previous.renewedAt();
            notes = notes.withPast(new LeaseNotes.PastTerm(
                    previous.term(), previous.holder(), previous.acquiredAt(), until, LossCause.EXPIRED));
        }
        return step.takeoverPolicy.asHolder(notes);
    }

    /** Writes a step-down request into the record of the leader (rules M5, M8). */
    private void requestStepDown(Campaigning campaigning, LeaseNotes.StepDownRequest order) {
        VersionedLease seen = VersionedLease.of(
                step.observed.knownVersion(), step.observed.record().orElseThrow());
        LeaseRecord held = seen.record().orElseThrow();
        LeaseRecord updated = held.noting(
                held.notes().withStepDownRequest(order),
                step.nonce(campaigning.me().incarnation()));
        long again = step.now.nanos() + step.timing.ttl().toNanos();
        step.become(new Campaigning(campaigning.me(), campaigning.notBeforeNanos(), again, campaigning.doubted()));
        step.write(RequestKind.STEP_DOWN_REQUEST, seen.version(), new Attempt(updated, step.now, 0));
    }

    void reportIfBlocked(Campaigning campaigning) {
        if (!step.observed.isHeldBy(campaigning.me())) {
            step.observed
                    .leaderAt(step.now, step.sessions)
                    .ifPresent(leader -> step.effect(new LeaseEffect.Blocked(leader)));
        }
    }
}
