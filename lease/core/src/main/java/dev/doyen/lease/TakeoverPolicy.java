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
 * The takeover policy: when a candidate may take over, and what it may ask of a leader (M1-M5).
 *
 * <p>These rules choose among the candidates that may lead. Safety does not depend on them.
 */
final class TakeoverPolicy {

    private final StepContext step;

    TakeoverPolicy(StepContext step) {
        this.step = step;
    }

    /** Returns when this candidate may acquire the lease, in nanoseconds; empty if time alone does not permit it. */
    OptionalLong takeAt(Campaigning campaigning) {
        if (!step.observed.isKnown() || !step.eligibility.mayCampaign() || isPaused()) {
            return OptionalLong.empty();
        }
        if (step.observed.isHeldBy(campaigning.me())) {
            // A record of this candidate's own incarnation needs no wait, because nobody else acts under it (rule L3).
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

    /** Returns how long this candidate waits for a successor and for higher priorities (rules M2, M3). */
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

    /** Returns the priority in records of this candidate; 0 for a last resort, so that any other may lead. */
    int shownPriority() {
        return step.eligibility == Eligibility.LAST_RESORT
                ? 0
                : step.machine.priority().level();
    }

    /**
     * Returns the request to a leader of lower priority to step down (rule M5); empty if it must not be sent.
     *
     * <p>Only a leader that shows life gets the request, because a dead one obeys no request. A leader of the same id
     * does not get it, because it would take the request as a request to go on.
     */
    Optional<StepDownRequest> stepDownRequest(Campaigning campaigning) {
        LeaseNotes notes = step.observed.notes();
        boolean wanted = step.machine.priority().returns() == Priority.Returns.WHEN_HIGHER || notes.priority() == 0;
        if (!wanted
                || step.eligibility != Eligibility.FIT
                || !step.observed.isHeld()
                || step.observed.isHeldUnderName(campaigning.me().id())
                || notes.stepDown().isPresent()
                || notes.pause().isPresent()
                || notes.priority() >= step.machine.priority().level()
                || !step.isDue(campaigning.askNotBeforeNanos())
                || !step.isDue(
                        step.observed.termSinceNanos() + step.timing.ttl().toNanos())
                || !leaderShowsLife()) {
            return Optional.empty();
        }
        String me = campaigning.me().id();
        return Optional.of(new StepDownRequest(
                me, me, "priority " + step.machine.priority().level() + " is above " + notes.priority()));
    }

    private boolean leaderShowsLife() {
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
