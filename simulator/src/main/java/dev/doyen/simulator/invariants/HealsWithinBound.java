package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.simulator.world.Network;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.World;
import java.util.HashMap;
import java.util.Map;

/**
 * Once all faults are gone there is a leader within a bound, and it stays. The bound, with every process up, standing,
 * and answered within c each way:
 *
 * <pre>
 *   what was sent before arrives by             N      (the worst delay; it may be the acquire of somebody dead)
 *   a request that was lost is given up after   R      and tried again after T/4
 *   an order still standing is obeyed within    T      with the next renewal
 *   everybody then looks within                 1.2 P
 *   and takes over after                        W      from that receipt, or C if it resigned, whichever is later
 *   having stood back for                       W/2    for an heir, W/2 for the preferred, if there are such
 *   by a write that is answered in              2 c
 * </pre>
 *
 * A preferred candidate may ask a leader once more, 2 T after the last sign of life, which starts W again. Local
 * durations are stretched by the slowest clock; six round trips are allowed for what is asked in between. Where somebody
 * has the right to ask a leader to hand over, leading may change hands afterwards too, but must not cease.
 */
public final class HealsWithinBound implements Witness {

    private static final String NAME = "HealsWithinBound";

    /** So long after the last election, or after a leader obeyed an order, a hand-over may still be under way. */
    private static final long HAND_OVER_NANOS = 40_000_000_000L;

    private final double rho;
    private final boolean watched;
    private final Map<String, Long> lastChange = new HashMap<>();
    private long calmFrom = Long.MAX_VALUE;

    public HealsWithinBound(double rho, boolean watched) {
        this.rho = rho;
        this.watched = watched;
    }

    /** The most it takes, in nanoseconds, with these durations. */
    public static long bound(LeaseTiming timing, boolean preferences, boolean watched, double rho) {
        long poll = (watched ? timing.watchedPollEvery() : timing.pollEvery()).toNanos();
        long wait = Math.max(timing.ttl().toNanos(), timing.resignCooldown().toNanos());
        double local = timing.requestTimeout().toNanos()
                + 1.25 * timing.renewEvery().toNanos()
                + 1.2 * poll
                + wait
                + (preferences
                        ? timing.ttl().toNanos() + 2.0 * timing.renewEvery().toNanos()
                        : timing.ttl().toNanos() / 2.0);
        double trips = Network.WORST_SECONDS * 1e9 + 12 * Network.CALM_SECONDS * 1e9;
        return (long) (trips + local / (1 - rho));
    }

    /** All faults are gone from now on. */
    public void healed(World world) {
        world.agenda().after(longest(world), () -> {
            calmFrom = world.now();
            require(world);
        });
    }

    private static boolean hasPreferences(World world) {
        return world.processes().stream()
                .anyMatch(process -> !process.priority().equals(Priority.DEFAULT));
    }

    /** The bound for this world. */
    public long longest(World world) {
        return world.processes().stream()
                .mapToLong(process -> bound(process.timing(), hasPreferences(world), watched, rho))
                .max()
                .orElseThrow();
    }

    @Override
    public void told(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected
                || (event instanceof ElectionEvent.Lost ended && ended.cause() == LossCause.TRANSFERRED)) {
            lastChange.put(candidate.election(), candidate.world().now());
        }
        if (event instanceof ElectionEvent.Lost lost
                && candidate.world().now() >= calmFrom
                && !(hasPreferences(candidate.world()) && lost.cause() == LossCause.TRANSFERRED)) {
            throw new Violation(NAME, candidate + " is told " + event + " though nothing is wrong any more");
        }
    }

    @Override
    public void finish(World world) {
        require(world);
    }

    private void require(World world) {
        for (String election : world.elections()) {
            boolean led = world.processes().stream()
                    .flatMap(process -> process.candidates().stream())
                    .anyMatch(candidate -> candidate.election().equals(election) && candidate.isLeader());
            // A hand-over may be under way at this very moment.
            boolean justChanged = hasPreferences(world)
                    && world.now() - lastChange.getOrDefault(election, Long.MIN_VALUE / 2) < HAND_OVER_NANOS;
            if (!led && !justChanged) {
                throw new Violation(NAME, "nobody leads \"" + election + "\" though nothing is wrong any more");
            }
        }
    }
}
