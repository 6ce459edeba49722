package dev.doyen.simulator;

import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.simulator.faults.Ailments;
import dev.doyen.simulator.faults.BadNetwork;
import dev.doyen.simulator.faults.Crashes;
import dev.doyen.simulator.faults.Fault;
import dev.doyen.simulator.faults.Intrusions;
import dev.doyen.simulator.faults.LoopStalls;
import dev.doyen.simulator.faults.Orders;
import dev.doyen.simulator.faults.Partitions;
import dev.doyen.simulator.faults.Pauses;
import dev.doyen.simulator.faults.StoreOutages;
import dev.doyen.simulator.faults.Suspensions;
import dev.doyen.simulator.faults.WallJumps;
import dev.doyen.simulator.faults.Whims;
import dev.doyen.simulator.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The participants of a seed, their clocks and durations, and the faults.
 *
 * @param hosts one for each process
 * @param watched whether the store announces changes
 */
record Scenario(List<Host> hosts, List<String> elections, boolean watched, List<Fault> faults) {

    /** The bound of the difference between clock rates and 1, as docs/spec/lease.md assumes. */
    static final double RHO = 0.10;

    /**
     * A machine with one process.
     *
     * @param maySuspend whether the host may be suspended; if not, its wall clock may be set back
     */
    record Host(
            String id,
            LeaseTiming timing,
            double rate,
            double wallRate,
            long nanosOrigin,
            long wallOriginMillis,
            Priority priority,
            boolean maySuspend) {}

    static Scenario draw(Dice dice) {
        int size = dice.chance(0.7) ? 3 : dice.chance(0.5) ? 2 : 4;
        boolean sameTiming = dice.chance(0.75);
        boolean namesake = dice.chance(0.3);
        boolean preferences = dice.chance(0.25);
        double clocks = dice.unit();
        LeaseTiming timing = timing(dice);
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            // Two candidates with the same id are still two holders (L10).
            String id = namesake && i == 1 ? "node-0" : "node-" + i;
            hosts.add(new Host(
                    id,
                    sameTiming ? timing : timing(dice),
                    rate(clocks, dice),
                    rate(clocks, dice),
                    // Any origin, and sometimes one that overflows during the run.
                    dice.chance(0.2) ? Long.MAX_VALUE - dice.seconds(0, 200) : dice.next(),
                    1_790_000_000_000L + (long) dice.between(-1e9, 1e9),
                    preferences ? priority(dice) : Priority.DEFAULT,
                    dice.chance(0.5)));
        }
        List<String> elections = dice.chance(0.9) ? List.of("orders") : List.of("orders", "billing");
        return new Scenario(hosts, elections, dice.chance(0.3), faults(dice));
    }

    private static LeaseTiming timing(Dice dice) {
        int millis = dice.chance(0.7) ? 10_000 : dice.chance(0.5) ? 6_000 : 15_000;
        LeaseTiming timing = LeaseTiming.ofTtl(Duration.ofMillis(millis));
        return dice.chance(0.5) ? timing : timing.withResignCooldown(Duration.ofMillis((long) dice.between(0, millis)));
    }

    private static Priority priority(Dice dice) {
        int level = dice.below(11) * 10;
        return dice.chance(0.5) ? Priority.sticky(level) : Priority.returning(level);
    }

    private static double rate(double clocks, Dice dice) {
        if (clocks < 0.4) {
            return dice.chance(0.5) ? 1 - RHO : 1 + RHO;
        }
        return clocks < 0.8 ? dice.between(1 - RHO, 1 + RHO) : 1 + dice.between(-0.0005, 0.0005);
    }

    private static List<Fault> faults(Dice dice) {
        List<Fault> faults = new ArrayList<>();
        if (dice.chance(0.9)) {
            faults.add(new BadNetwork());
        }
        List<DoubleFunction<Fault>> others = List.of(
                Pauses::new,
                LoopStalls::new,
                Suspensions::new,
                Partitions::new,
                WallJumps::new,
                Crashes::new,
                StoreOutages::new,
                Ailments::new,
                Orders::new,
                Intrusions::new,
                Whims::new);
        for (DoubleFunction<Fault> each : others) {
            if (dice.chance(0.5)) {
                faults.add(each.apply(dice.between(8, 60)));
            }
        }
        return faults;
    }
}
