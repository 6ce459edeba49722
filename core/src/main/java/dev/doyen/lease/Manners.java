package dev.doyen.lease;

import dev.doyen.lease.Role.Standing;
import dev.doyen.store.Heir;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of politeness, M1 to M5 of docs/spec/lease.md: who stands back for whom, and what may be asked of a leader.
 * They decide who leads among those who may; whether one may is decided without them.
 */
final class Manners {

    private final Turn turn;

    Manners(Turn turn) {
        this.turn = turn;
    }

    /** When this candidate may take the lease, in nanos; empty while it may not, whatever time passes. */
    OptionalLong takeAt(Standing standing) {
        if (!turn.sight.isKnown() || !turn.fitness.stands() || isPaused() || !canHold()) {
            return OptionalLong.empty();
        }
        if (turn.sight.isHeldBy(standing.me())) {
            // A record under one's own incarnation needs no waiting, for nobody else acts under it.
            return OptionalLong.of(turn.latest(turn.sight.seenAtNanos(), standing.notBeforeNanos()));
        }
        OptionalLong free = turn.sight.freeAt(turn.sessions);
        if (free.isEmpty()) {
            return free;
        }
        return OptionalLong.of(turn.latest(free.getAsLong() + holdBackNanos(standing), standing.notBeforeNanos()));
    }

    /** Rule M1. */
    boolean isPaused() {
        return turn.sight.notes().pause().isPresent();
    }

    /** Rule L12: without a session of one's own there is nothing to hold a lease under. */
    boolean canHold() {
        return turn.machine.keeping() == Keeping.BY_RENEWAL
                || turn.sessions.own().filter(own -> own.holdsAt(turn.now)).isPresent();
    }

    /** Rules M2 and M3: how long one stands back for the heir, and for those who are preferred. */
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

    /** Rule M2: true if the last leader has named this candidate as its successor, which ends the successor's cooldown. */
    boolean isSuccessor(Identity me) {
        return heir().filter(named -> named.id().equals(me.id())).isPresent();
    }

    /** How long the others are to stand back for an heir. */
    Duration heirsTime() {
        return turn.timing.ttl().dividedBy(2);
    }

    /** The priority that a record of one's own shows: a last resort gives way to everybody. */
    int shownPriority() {
        return turn.fitness == Fitness.LAST_RESORT ? 0 : turn.machine.priority().level();
    }

    /**
     * Rule M5: what to ask of a leader of lower priority. Only of one that is alive, for the dead obey nobody; and not
     * of one that has the same name, for to it the order would say to go on.
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
