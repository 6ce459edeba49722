package dev.doyen.lease;

import dev.doyen.lease.Role.Standing;
import dev.doyen.store.Heir;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The takeover policy: when a candidate may take over, and what it may ask of a leader (M1-M5).
 *
 * <p>These rules choose among the candidates that may lead. Safety does not depend on them.
 */
final class Manners {

    private final Turn turn;

    Manners(Turn turn) {
        this.turn = turn;
    }

    /** Returns when this candidate may acquire the lease, in nanoseconds; empty if time alone does not permit it. */
    OptionalLong takeAt(Standing standing) {
        if (!turn.sight.isKnown() || !turn.fitness.stands() || isPaused()) {
            return OptionalLong.empty();
        }
        if (turn.sight.isHeldBy(standing.me())) {
            // A record of this candidate's own incarnation needs no wait, because nobody else acts under it (rule L3).
            return OptionalLong.of(turn.latest(turn.sight.seenAtNanos(), standing.notBeforeNanos()));
        }
        OptionalLong free = turn.sight.freeAt(turn.sessions);
        if (free.isEmpty()) {
            return free;
        }
        return OptionalLong.of(turn.latest(free.getAsLong() + holdBackNanos(standing), standing.notBeforeNanos()));
    }

    /** Returns true if the record contains a pause (rule M1). */
    boolean isPaused() {
        return turn.sight.notes().pause().isPresent();
    }

    /** Returns how long this candidate waits for a successor and for higher priorities (rules M2, M3). */
    private long holdBackNanos(Standing standing) {
        if (isSuccessor(standing.me())) {
            return 0;
        }
        Duration forPreferred = turn.fitness == Fitness.LAST_RESORT
                ? turn.timing.ttl().plus(Priority.sticky(0).holdBack(turn.timing.ttl()))
                : turn.machine.priority().holdBack(turn.timing.ttl());
        return heir().map(Heir::holdBack)
                .orElse(Duration.ZERO)
                .plus(forPreferred)
                .toNanos();
    }

    Optional<Heir> heir() {
        return turn.sight.isHeld() ? Optional.empty() : turn.sight.notes().heir();
    }

    /** Returns true if the last leader has named this candidate as its successor (rule M2). */
    boolean isSuccessor(Identity me) {
        return heir().filter(named -> named.id().equals(me.id())).isPresent();
    }

    /** Returns how long the other candidates wait for a successor. */
    Duration heirsTime() {
        return turn.timing.ttl().dividedBy(2);
    }

    /** Returns the priority in records of this candidate; 0 for a last resort, so that any other may lead. */
    int shownPriority() {
        return turn.fitness == Fitness.LAST_RESORT ? 0 : turn.machine.priority().level();
    }

    /**
     * Returns the request to a leader of lower priority to step down (rule M5); empty if it must not be sent.
     *
     * <p>Only a leader that shows life gets the request, because a dead one obeys no request. A leader of the same id
     * does not get it, because it would take the request as a request to go on.
     */
    Optional<LeaseOrder> orderToReturn(Standing standing) {
        LeaseNotes notes = turn.sight.notes();
        boolean wanted = turn.machine.priority().returns() == Priority.Returns.WHEN_HIGHER || notes.priority() == 0;
        if (!wanted
                || turn.fitness != Fitness.FIT
                || !turn.sight.isHeld()
                || turn.sight.isHeldUnderName(standing.me().id())
                || notes.order().isPresent()
                || notes.pause().isPresent()
                || notes.priority() >= turn.machine.priority().level()
                || !turn.isDue(standing.askNotBeforeNanos())
                || !turn.isDue(turn.sight.termSinceNanos() + turn.timing.ttl().toNanos())
                || !leaderShowsLife()) {
            return Optional.empty();
        }
        String me = standing.me().id();
        return Optional.of(new LeaseOrder(
                me, me, "priority " + turn.machine.priority().level() + " is above " + notes.priority()));
    }

    private boolean leaderShowsLife() {
        long recently = turn.timing.renewEvery().toNanos() * 2;
        return turn.sight
                .epoch()
                .map(epoch -> turn.sessions
                        .of(epoch.session())
                        .filter(seen -> seen.running()
                                && seen.freeAtNanos() - turn.now.nanos()
                                        > turn.timing.ttl().toNanos() - recently)
                        .isPresent())
                .orElse(turn.now.nanos() - turn.sight.seenAtNanos() < recently);
    }
}
