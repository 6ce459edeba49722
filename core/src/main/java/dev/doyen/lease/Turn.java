package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Standing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step in the making: the state's parts, as the rules change them, and the effects gathered on the way. Lives for
 * the length of one {@link LeaseMachine#step}; only this package's rules ({@link Candidacy}, {@link Tenure}) touch it.
 */
final class Turn {

    final LeaseMachine machine;
    final LeaseTiming timing;
    final Moment now;

    Role role;
    Sight sight;

    /** The one request that is on its way; a second is never sent, so answers need no sorting. */
    @Nullable
    Request inFlight;

    long lookAtNanos;

    private final List<LeaseEffect> effects = new ArrayList<>();
    private long sequence;
    private Optional<Leader> told;
    private @Nullable Moment confirmed;

    Turn(LeaseMachine machine, LeaseState state, Moment now) {
        this.machine = machine;
        this.timing = machine.timing();
        this.now = now;
        this.role = state.role();
        this.sight = state.sight();
        this.inFlight = state.inFlight();
        this.lookAtNanos = state.lookAtNanos();
        this.sequence = state.sequence();
        this.told = state.told();
        this.confirmed = state.confirmed();
    }

    LeaseStep finish() {
        var next = new LeaseState(role, sight, inFlight, sequence, lookAtNanos, told, confirmed);
        return new LeaseStep(next, effects, wakeAtNanos());
    }

    /** Takes the request out if it is the one with this number; null if nobody waits for that answer any more. */
    @Nullable
    Request answered(long number) {
        Request request = inFlight;
        if (request == null || request.number() != number) {
            return null;
        }
        inFlight = null;
        return request;
    }

    void look() {
        long number = ++sequence;
        inFlight = new Request(number, Request.Kind.LOOK, now, null);
        // Set when sent, so that a notice which comes before the answer is not forgotten over it.
        lookAtNanos = now.nanos() + machine.lookPauseNanos(number);
        effects.add(new LeaseEffect.Look(number));
    }

    void write(Request.Kind kind, LeaseVersion expected, Attempt attempt) {
        long number = ++sequence;
        inFlight = new Request(number, kind, now, attempt);
        effects.add(new LeaseEffect.Write(number, expected, attempt.record()));
    }

    /** A nonce that no other write of this machine has, nor any of another incarnation. */
    String nonce(Identity me) {
        String incarnation = me.incarnation();
        return incarnation.substring(0, Math.min(incarnation.length(), 200)) + "." + (sequence + 1);
    }

    void observe(VersionedLease found) {
        sight = sight.seeing(found, now);
        confirmed = now;
    }

    void effect(LeaseEffect effect) {
        effects.add(effect);
    }

    void tell(ElectionEvent event) {
        effects.add(new LeaseEffect.Tell(event));
    }

    /** Tells who leads, if that is news. */
    void tellLeader(Optional<Leader> leader) {
        if (!leader.equals(told)) {
            told = leader;
            tell(new ElectionEvent.LeaderChanged(leader));
        }
    }

    /** Who leads as far as the record tells; a record of one's own that one does not lead by names nobody. */
    Optional<Leader> leaderBySight() {
        Optional<Identity> me = identity();
        return me.isPresent() && sight.isHeldBy(me.get()) ? Optional.empty() : sight.leaderAt(now);
    }

    boolean isDue(long atNanos) {
        return now.nanos() - atNanos >= 0;
    }

    private Optional<Identity> identity() {
        if (role instanceof Standing standing) {
            return Optional.of(standing.me());
        }
        if (role instanceof Stopping stopping) {
            return Optional.of(stopping.me());
        }
        return role instanceof Releasing releasing ? Optional.of(releasing.me()) : Optional.empty();
    }

    /** The next moment at which time alone changes anything. */
    private long wakeAtNanos() {
        if (role instanceof Role.Gone) {
            return Long.MAX_VALUE;
        }
        var wake = new Earliest(now.nanos());
        if (inFlight != null) {
            wake.or(inFlight.sentAt().nanos() + timing.requestTimeout().toNanos());
        } else if (role instanceof Leading leading) {
            wake.or(leading.renewAtNanos());
        } else if (!(role instanceof Stopping stopping && stopping.mine().isPresent())) {
            wake.or(lookAtNanos);
            if (role instanceof Standing standing && sight.isKnown()) {
                long from = standing.notBeforeNanos();
                boolean free = sight.isHeldBy(standing.me()) || sight.freeAtNanos() - from < 0;
                wake.or(free ? from : sight.freeAtNanos());
            }
        }
        if (role instanceof Leading leading) {
            wake.or(leading.grant().sentAt().nanos()
                    + leading.grant().deadline().toNanos());
        } else if (role instanceof Releasing releasing) {
            wake.or(releasing.giveUpAtNanos());
        }
        if (!(role instanceof Leading) && told.isPresent()) {
            wake.or(sight.freeAtNanos());
        }
        return wake.atNanos();
    }

    /** The earliest of some moments, none of them in the past. */
    private static final class Earliest {
        private final long now;
        private long delay = Long.MAX_VALUE;

        Earliest(long now) {
            this.now = now;
        }

        void or(long atNanos) {
            delay = Math.min(delay, Math.max(0, atNanos - now));
        }

        long atNanos() {
            return now + delay;
        }
    }
}
