package dev.doyen.lease;

import dev.doyen.election.Priority;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides when a candidate may take over, and when it sends a step-down request (M1-M5, M8).
 *
 * <p>The rules M1-M5 and M8 only choose among the candidates that may lead, so safety does not depend on them. But {@link
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
                .map(LeaseNotes.Successor::delay)
                .orElse(Duration.ZERO)
                .plus(forPreferred)
                .toNanos();
    }

    Optional<LeaseNotes.Successor> successor() {
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
    private int shownPriority() {
        return step.eligibility == Eligibility.LAST_RESORT
                ? 0
                : step.machine.priority().level();
    }

    /** Returns {@code notes} as this candidate writes them if it holds the lease. */
    LeaseNotes asHolder(LeaseNotes notes) {
        return notes.heldWith(shownPriority(), shownGeneration());
    }

    /**
     * Returns the generation that this candidate writes into records. An unhealthy candidate writes 0, so that a
     * healthy candidate of any generation asks it to step down.
     */
    private long shownGeneration() {
        return step.eligibility == Eligibility.LAST_RESORT
                ? 0
                : step.machine.priority().generation();
    }

    /**
     * Returns the step-down request to a leader of lower generation (rule M8), or of the same generation and lower
     * priority (rule M5). The result is empty if the candidate must not send it.
     *
     * <p>The candidate sends the request only to a leader that renews its lease or session, because a dead leader
     * cannot carry out the request. The candidate sends no request to a leader with the same id, because the request
     * would name this id as the successor, and the leader would ignore it.
     */
    Optional<LeaseNotes.StepDownRequest> stepDownRequest(Campaigning campaigning) {
        if (step.eligibility != Eligibility.FIT
                || !mayAsk(campaigning.me())
                || !step.isDue(campaigning.requestNotBeforeNanos())
                || !leaderIsRenewing()) {
            return Optional.empty();
        }
        String me = campaigning.me().id();
        return reason().map(why -> new LeaseNotes.StepDownRequest(me, me, why));
    }

    /**
     * Returns true if the holder has a lower generation, and its record contains no request and no pause yet (rule M8).
     *
     * <p>In this case this candidate sends a request as soon as it is healthy.
     */
    boolean mustAskOlder(Identity me) {
        return mayAsk(me)
                && step.observed.notes().generation() < step.machine.priority().generation();
    }

    private boolean mayAsk(Identity me) {
        LeaseNotes notes = step.observed.notes();
        return step.observed.isHeld()
                && !step.observed.isHeldUnderName(me.id())
                && notes.stepDown().isEmpty()
                && notes.pause().isEmpty();
    }

    /** Returns why the holder is to step down; empty if this candidate does not precede it (rules M5, M8). */
    private Optional<String> reason() {
        LeaseNotes notes = step.observed.notes();
        Priority mine = step.machine.priority();
        if (mine.generation() > notes.generation()) {
            // The candidate does not wait for W, because a rolling update can end the old leader at any time.
            return Optional.of("a candidate of a newer generation asked for the leadership (" + mine.generation()
                    + " is above " + notes.generation() + ")");
        }
        boolean mayRequest = mine.returns() == Priority.Returns.WHEN_HIGHER || notes.priority() == 0;
        boolean observedForTtl =
                step.isDue(step.observed.termSinceNanos() + step.timing.ttl().toNanos());
        return mine.generation() == notes.generation()
                        && mayRequest
                        && notes.priority() < mine.level()
                        && observedForTtl
                ? Optional.of("priority " + mine.level() + " is above " + notes.priority())
                : Optional.empty();
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
