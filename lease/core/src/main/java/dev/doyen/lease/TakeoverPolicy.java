package dev.doyen.lease;

import dev.doyen.election.Priority;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.StepDownRequest;
import dev.doyen.store.Successor;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides when a candidate may take over, and when it sends a step-down request (M1-M5).
 *
 * <p>The rules M1-M5 only choose among the candidates that may lead, so safety does not depend on them. But {@link
 * #takeAt} also applies rule L3, on which safety depends.
 */
final class TakeoverPolicy {

    private final StepContext step;

    TakeoverPolicy(StepContext step) {
        this.step = step;
    }

    /**
     * Returns the time at which this candidate may acquire the lease, in nanoseconds. The result is empty if another
     * event must happen first.
     */
    OptionalLong takeAt(Campaigning campaigning) {
        if (!step.observed.isKnown() || !step.eligibility.mayCampaign() || isPaused()) {
            return OptionalLong.empty();
        }
        if (step.observed.isHeldBy(campaigning.me())) {
            // The record contains this candidate itself as the holder, with its incarnation. So no other candidate can
            // lead, and the candidate need not wait for the expiry (rule L3).
            return OptionalLong.of(step.latest(step.observed.seenAtNanos(), campaigning.notBeforeNanos()));
        }
        OptionalLong free = step.observed.freeAt(step.sessions);
        if (free.isEmpty()) {
            return free;
        }
        return OptionalLong.of(step.latest(free.getAsLong() + delayNanos(campaigning), campaigning.notBeforeNanos()));
    }

    /** Returns true if the record contains a pause (rule M1). */
    boolean isPaused() {
        return step.observed.notes().pause().isPresent();
    }

    /** Returns the nanoseconds for which this candidate waits for preferred candidates (rules M2, M3). */
    private long delayNanos(Campaigning campaigning) {
        if (isSuccessor(campaigning.me())) {
            return 0;
        }
        Duration forPreferred = step.eligibility == Eligibility.LAST_RESORT
                ? step.timing.ttl().plus(Priority.sticky(0).delay(step.timing.ttl()))
                : step.machine.priority().delay(step.timing.ttl());
        return successor()
                .map(Successor::delay)
                .orElse(Duration.ZERO)
                .plus(forPreferred)
                .toNanos();
    }

    Optional<Successor> successor() {
        return step.observed.isHeld() ? Optional.empty() : step.observed.notes().successor();
    }

    /** Returns true if the last leader has named this candidate as its successor (rule M2). */
    boolean isSuccessor(Identity me) {
        return successor().filter(named -> named.id().equals(me.id())).isPresent();
    }

    /** Returns how long the other candidates wait for a successor. */
    Duration successorDelay() {
        return step.timing.ttl().dividedBy(2);
    }

    /**
     * Returns the priority that this candidate writes into records. An unhealthy candidate writes 0, so that a healthy
     * candidate asks it to step down.
     */
    int shownPriority() {
        return step.eligibility == Eligibility.LAST_RESORT
                ? 0
                : step.machine.priority().level();
    }

    /**
     * Returns the step-down request to a leader of lower priority (rule M5). The result is empty if the candidate must
     * not send it.
     *
     * <p>The candidate sends the request only to a leader that renews its lease or session, because a dead leader
     * cannot carry out the request. The candidate sends no request to a leader with the same id, because the request
     * would name this id as the successor, and the leader would ignore it.
     */
    Optional<StepDownRequest> stepDownRequest(Campaigning campaigning) {
        LeaseNotes notes = step.observed.notes();
        boolean mayRequest = step.machine.priority().returns() == Priority.Returns.WHEN_HIGHER || notes.priority() == 0;
        if (!mayRequest
                || step.eligibility != Eligibility.FIT
                || !step.observed.isHeld()
                || step.observed.isHeldUnderName(campaigning.me().id())
                || notes.stepDown().isPresent()
                || notes.pause().isPresent()
                || notes.priority() >= step.machine.priority().level()
                || !step.isDue(campaigning.requestNotBeforeNanos())
                || !step.isDue(
                        step.observed.termSinceNanos() + step.timing.ttl().toNanos())
                || !leaderIsRenewing()) {
            return Optional.empty();
        }
        String me = campaigning.me().id();
        return Optional.of(new StepDownRequest(
                me, me, "priority " + step.machine.priority().level() + " is above " + notes.priority()));
    }

    private boolean leaderIsRenewing() {
        long recently = step.timing.renewEvery().toNanos() * 2;
        return step.observed
                .epoch()
                .map(epoch -> step.sessions
                        .of(epoch.session())
                        .filter(seen -> seen.running()
                                && seen.freeAtNanos() - step.now.nanos()
                                        > step.timing.ttl().toNanos() - recently)
                        .isPresent())
                .orElse(step.now.nanos() - step.observed.seenAtNanos() < recently);
    }
}
