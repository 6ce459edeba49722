package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.EndedTerm;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules by which a candidate withdraws and releases the lease (L6, L12.6). */
final class LeaseRelease {

    private final StepContext step;
    private final LeaseRenewal renewal;

    LeaseRelease(StepContext step, LeaseRenewal renewal) {
        this.step = step;
        this.renewal = renewal;
    }

    /**
     * Stops waiting for a release that does not succeed within W, the ttl.
     *
     * <p>After this time, a lease without a session has expired, and needs no release. A lease under a session does not
     * expire (rule L12.6). In this case the machine emits {@link LeaseEffect.Settled}, so that for example a caller
     * that resigns does not wait longer. The machine repeats the release until it succeeds or the epoch ends.
     */
    void giveUpOnRelease() {
        if (!(step.role() instanceof Releasing releasing) || !step.isDue(releasing.giveUpAtNanos())) {
            return;
        }
        step.inFlight = null;
        if (!isHeldByLiveSession(releasing.endedTerm())) {
            proceed(releasing.next());
            return;
        }
        step.become(releasing.goingOn(giveUpAtNanos()));
        step.readAtNanos = step.now.nanos();
        step.effect(new LeaseEffect.Settled());
        if (isDoubted(releasing.doubted())) {
            overwriteDoubted(releasing.endedTerm());
        }
    }

    /**
     * Returns true if this process still holds its session in the epoch of the term.
     *
     * <p>In this case the lease does not expire, because the process renews the session (rule L12.6).
     */
    private boolean isHeldByLiveSession(EndedTerm endedTerm) {
        return endedTerm.epoch().isPresent()
                && endedTerm.epoch().equals(step.sessions.own().map(OwnSession::epoch));
    }

    /**
     * Writes the record again, so that an acquire of unknown outcome can no longer succeed.
     *
     * <p>The acquire expects the present version of the record. This write changes the version.
     */
    private void overwriteDoubted(EndedTerm endedTerm) {
        String nonce = step.nonce(endedTerm.me().incarnation());
        LeaseRecord same = step.observed
                .record()
                .map(record -> record.noting(record.notes(), nonce))
                .orElseGet(() -> unheld(nonce));
        step.write(RequestKind.RELEASE, step.observed.knownVersion(), new Attempt(same, step.now, 0));
    }

    /** Returns a record without a holder, for an election whose record is missing. */
    private LeaseRecord unheld(String nonce) {
        return LeaseRecord.unheld(
                step.machine.election(),
                Math.max(1, step.observed.highestTerm()),
                nonce,
                step.timing.ttl(),
                Instant.ofEpochMilli(step.now.wallMillis()));
    }

    /**
     * Releases the lease of a term whose work has not stopped (rule L12.6).
     *
     * <p>The release is due one ttl after the machine ended the term for good (rule L6, the latch). If the store does
     * not answer the release, the machine repeats the release after another ttl.
     */
    void releaseUnstopped() {
        if (!(step.role() instanceof Stopping stopping)
                || stopping.releaseAtNanos().isEmpty()
                || !step.isDue(stopping.releaseAtNanos().getAsLong())) {
            return;
        }
        Optional<VersionedLease> held = unreleased(stopping.endedTerm()).or(stopping::mine);
        if (held.isEmpty()) {
            step.become(stopping.releasing(held, OptionalLong.empty()));
            return;
        }
        // The release does not wait for the answer to a save or a read. If a save changed the version, the release
        // conflicts, and the conflict returns the new version.
        step.inFlight = null;
        step.become(stopping.releasing(held, OptionalLong.of(giveUpAtNanos())));
        release(stopping.endedTerm(), held.get());
    }

    /**
     * Handles the answer to the write of {@link #releaseUnstopped}. The caller has already updated the observed record.
     */
    void releasedUnstopped(Stopping stopping) {
        Optional<VersionedLease> held = unreleased(stopping.endedTerm());
        OptionalLong again = held.isEmpty() ? OptionalLong.empty() : OptionalLong.of(step.now.nanos());
        step.become(stopping.releasing(held, again));
    }

    /** Returns the record as last read, if the candidate must still release it. */
    private Optional<VersionedLease> unreleased(EndedTerm endedTerm) {
        return step.observed.isHeldBy(endedTerm.me()) || isDeleted(endedTerm)
                ? Optional.of(new VersionedLease(step.observed.knownVersion(), step.observed.record(), 0))
                : Optional.empty();
    }

    /**
     * Returns true if the record of this term was deleted while the process still holds its session.
     *
     * <p>The other candidates then wait for the end of the session, so the candidate writes a record that nobody holds
     * (rule L12.6). The record of a later term is not the candidate's record, so its deletion does not count.
     */
    private boolean isDeleted(EndedTerm endedTerm) {
        boolean isLast = endedTerm.term() > 0 && endedTerm.term() == step.observed.shownTerm();
        return step.observed.record().isEmpty() && isLast && isHeldByLiveSession(endedTerm);
    }

    /**
     * Returns true if the last answer contained a record of an older term, and the process still holds its session.
     *
     * <p>If the answer belongs to a read, it does not show whether this candidate still holds the lease. The lease does
     * not expire, so the candidate must find this out.
     */
    private boolean isStale(EndedTerm endedTerm) {
        return step.observed
                        .record()
                        .filter(found -> found.term() < endedTerm.term())
                        .isPresent()
                && isHeldByLiveSession(endedTerm);
    }

    /** Releases the lease if this candidate still holds it, after all work has stopped. */
    void workStopped(Stopping stopping) {
        Optional<VersionedLease> mine = stopping.mine();
        if (mine.isEmpty() && isHeldByLiveSession(stopping.endedTerm())) {
            // The deadline or a deletion of the record ended the term, but the process still holds its session. So the
            // lease has not expired.
            mine = unreleased(stopping.endedTerm());
        }
        if (mine.isEmpty()) {
            proceed(stopping.next());
        } else {
            step.become(new Releasing(stopping.endedTerm(), mine, Optional.empty(), giveUpAtNanos(), stopping.next()));
        }
    }

    /** Reports an overlap if another candidate leads while the work of this term still runs. */
    void reportOverlap() {
        if (step.role() instanceof Stopping stopping
                && stopping.overlapAtNanos().isPresent()
                && step.isDue(stopping.overlapAtNanos().getAsLong())) {
            step.successorOf(stopping).ifPresent(leader -> {
                step.become(stopping.overlapping());
                step.report(new ElectionEvent.Overlapped(stopping.endedTerm().term(), leader));
            });
        }
    }

    void endCandidacy(LossCause cause, Next next) {
        if (step.role() instanceof Leading leading) {
            renewal.finish(leading, cause, renewal.mine(leading), next);
        } else if (step.role() instanceof Campaigning campaigning && mayHaveWon(campaigning)) {
            giveBackUnused(campaigning, cause, next);
        } else if (step.role() instanceof Observing || step.role() instanceof Campaigning) {
            proceed(next);
        } else {
            redirect(next);
        }
    }

    /** Returns true if this candidate holds the lease, or if its acquire can still succeed. */
    private boolean mayHaveWon(Campaigning campaigning) {
        Request request = step.inFlight;
        return (request != null && request.kind() == RequestKind.ACQUIRE)
                || isDoubted(campaigning.doubted())
                || step.observed.isHeldBy(campaigning.me());
    }

    private boolean isDoubted(Optional<LeaseVersion> version) {
        return version.filter(v -> v.equals(step.observed.version())).isPresent();
    }

    /**
     * Releases a lease under which this candidate has never led (L6). The candidate has acquired the lease, or its
     * acquire can still succeed.
     */
    void giveBackUnused(Campaigning campaigning, LossCause cause, Next next) {
        EndedTerm endedTerm = neverBegun(campaigning, cause);
        Optional<VersionedLease> mine = unreleased(endedTerm);
        step.become(new Releasing(
                endedTerm,
                mine,
                mine.isPresent() ? Optional.empty() : Optional.of(step.observed.knownVersion()),
                giveUpAtNanos(),
                next));
        step.readAtNanos = step.now.nanos();
    }

    /**
     * Returns an ended term in which this candidate never led.
     *
     * <p>The term belongs to the present epoch. If the acquire was sent in an older epoch, the end of that epoch has
     * already freed the lease.
     */
    private EndedTerm neverBegun(Campaigning campaigning, LossCause cause) {
        return new EndedTerm(campaigning.me(), 0, cause, "", step.sessions.own().map(OwnSession::epoch));
    }

    void release(EndedTerm endedTerm, VersionedLease mine) {
        LeaseRecord next = mine.record()
                .map(held -> released(endedTerm, held))
                .orElseGet(() -> unheld(step.nonce(endedTerm.me().incarnation())));
        step.write(RequestKind.RELEASE, mine.version(), new Attempt(next, step.now, 0));
    }

    private LeaseRecord released(EndedTerm endedTerm, LeaseRecord held) {
        Instant wall = Instant.ofEpochMilli(step.now.wallMillis());
        LeaseNotes notes = held.notes().heldWith(LeaseNotes.MAX_PRIORITY, 0);
        if (endedTerm.term() == held.term()) {
            notes = notes.withPast(new LeaseNotes.PastTerm(
                    held.term(),
                    endedTerm.me().id(),
                    held.acquiredAt(),
                    wall,
                    endedTerm.end(),
                    endedTerm.by(),
                    endedTerm.reason()));
        }
        String successor = successor(endedTerm, held);
        if (!successor.isEmpty()) {
            notes = notes.withSuccessor(
                    Optional.of(new LeaseNotes.Successor(successor, step.takeoverPolicy.successorDelay())));
        }
        return new LeaseRecord(
                step.machine.election(),
                "",
                "",
                held.term(),
                step.nonce(endedTerm.me().incarnation()),
                held.ttl(),
                held.acquiredAt(),
                wall,
                held.state(),
                held.stateVersion(),
                Optional.empty(),
                notes);
    }

    /**
     * Returns the id that the release names as the successor (rules M2, M4); empty if it names none.
     *
     * <p>The term can end for another reason before the holder carries out a request, for example because the process
     * closes. The release then still names the candidate of this request.
     */
    private static String successor(EndedTerm endedTerm, LeaseRecord held) {
        return endedTerm.successor().isEmpty()
                ? held.notes()
                        .stepDown()
                        .map(LeaseNotes.StepDownRequest::to)
                        .filter(to -> !to.equals(endedTerm.me().id()))
                        .orElse("")
                : endedTerm.successor();
    }

    /**
     * Continues or completes the release after an answer of the store. The release continues if {@link #unreleased} is
     * not empty, or if the acquire of this candidate can still succeed.
     */
    void releaseOver(Releasing releasing, VersionedLease current) {
        if (unreleased(releasing.endedTerm()).isPresent()) {
            step.become(releasing.holding(Optional.of(current)));
        } else if (isDoubted(releasing.doubted())) {
            readLater(releasing);
        } else {
            proceed(releasing.next());
        }
    }

    /**
     * Handles the answer to a read during the release. A stale read shows nothing, so the machine repeats the read
     * until an answer is not stale or the epoch ends.
     */
    void readAnswered(Releasing releasing, VersionedLease current) {
        if (isStale(releasing.endedTerm())) {
            readLater(releasing);
        } else {
            releaseOver(releasing, current);
        }
    }

    private void readLater(Releasing releasing) {
        step.become(releasing.holding(Optional.empty()));
        step.readAtNanos = step.now.nanos() + step.machine.retryPauseNanos();
    }

    long giveUpAtNanos() {
        return step.now.nanos() + step.timing.ttl().toNanos();
    }

    void proceed(Next next) {
        if (next instanceof Next.Campaign campaign) {
            // A leader can name its own id as the successor. In this case the leader means a different candidate with
            // the same id (rule L10).
            boolean namedByItself = step.role() instanceof Releasing releasing
                    && releasing.endedTerm().successor().equals(campaign.me().id());
            boolean named = step.takeoverPolicy.isSuccessor(campaign.me()) && !namedByItself;
            long cooldown = named ? 0 : campaign.cooldownNanos();
            step.become(new Campaigning(campaign.me(), step.now.nanos() + cooldown));
        } else if (next instanceof Next.Observe) {
            step.become(Observing.ONLY);
        } else {
            step.become(new Gone());
            step.inFlight = null;
        }
        step.readAtNanos = step.now.nanos();
        step.effect(new LeaseEffect.Settled());
        if (step.role() instanceof Gone) {
            step.effect(new LeaseEffect.Ended());
        }
    }

    /** Sets the role that follows the release. If the machine is leaving the election, this method changes nothing. */
    void redirect(Next next) {
        if (isLeaving()) {
            return;
        }
        if (step.role() instanceof Stopping stopping) {
            step.become(stopping.then(next));
        } else if (step.role() instanceof Releasing releasing) {
            step.become(releasing.then(next));
        } else if (!(step.role() instanceof Gone)) {
            throw new IllegalStateException("already a candidate: " + step.role());
        }
    }

    private boolean isLeaving() {
        return (step.role() instanceof Stopping stopping && stopping.next() instanceof Next.End)
                || (step.role() instanceof Releasing releasing && releasing.next() instanceof Next.End);
    }
}
