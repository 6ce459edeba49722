package dev.doyen.simulator.invariants;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.simulator.world.Network;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.World;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that a candidate leads within a bound after the end of all faults.
 *
 * <p>After the bound, the leader must continue to lead. With priorities, the leadership can still be transferred, but
 * the election must not remain without a leader.
 *
 * <p>The bound is the sum of the times below. After the faults, all processes run and campaign. W is the ttl, T the
 * renewal interval, P the poll interval, R the request timeout, and C the cooldown after a resignation. N is the longest
 * delay of a message during the faults, and c the longest delay after the faults.
 *
 * <ul>
 *   <li>N: the last message from the time with faults arrives. This message can be the acquire request of a process
 *       that has crashed in the meantime.
 *   <li>R + T/4: a lost request times out and is repeated.
 *   <li>T: the leader carries out an admin command in the record at its next renewal.
 *   <li>1.2 P: each candidate has read the record.
 *   <li>The maximum of W and C: the record has not changed for W, and the cooldown is over.
 *   <li>W/2: the delay for a named successor.
 *   <li>12 c: the acquire request is answered (2 c), and five further requests are sent and answered.
 * </ul>
 *
 * <p>With priorities, W + 2 T replaces W/2. Up to 2 T after the last write of a leader, a preferred candidate can ask
 * this leader to hand over. This request changes the record, so the time W starts again. All local durations are
 * divided by the rate of the slowest clock.
 */
public final class HealsWithinBound implements Witness {

    private static final String NAME = "HealsWithinBound";

    /**
     * The maximum duration of a handover, in nanoseconds.
     *
     * <p>The duration counts from the last start or transfer of a leadership.
     */
    private static final long HAND_OVER_NANOS = 40_000_000_000L;

    private final double rho;
    private final boolean watched;
    private final Map<String, Long> lastChange = new HashMap<>();
    private long calmFrom = Long.MAX_VALUE;

    public HealsWithinBound(double rho, boolean watched) {
        this.rho = rho;
        this.watched = watched;
    }

    /** Returns the bound for these durations, in nanoseconds. */
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

    /** Marks the end of all faults. */
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

    /** Returns the longest bound of the processes in this world, in nanoseconds. */
    public long longest(World world) {
        return world.processes().stream()
                .mapToLong(process -> bound(process.timing(), hasPreferences(world), watched, rho))
                .max()
                .orElseThrow();
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected
                || (event instanceof ElectionEvent.Lost ended && ended.cause() == LossCause.TRANSFERRED)) {
            lastChange.put(candidate.election(), candidate.world().now());
        }
        if (event instanceof ElectionEvent.Lost lost
                && candidate.world().now() >= calmFrom
                && !(hasPreferences(candidate.world()) && lost.cause() == LossCause.TRANSFERRED)) {
            throw new Violation(NAME, candidate + " receives " + event + " after the fault has ended");
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
            // If the leader has just changed, a handover can still be in progress.
            boolean justChanged = hasPreferences(world)
                    && world.now() - lastChange.getOrDefault(election, Long.MIN_VALUE / 2) < HAND_OVER_NANOS;
            if (!led && !justChanged) {
                throw new Violation(NAME, "no candidate leads \"" + election + "\" after the end of all faults");
            }
        }
    }
}
