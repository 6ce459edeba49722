package dev.doyen.simulator;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.simulator.faults.AdminCommands;
import dev.doyen.simulator.faults.BadNetwork;
import dev.doyen.simulator.faults.Crashes;
import dev.doyen.simulator.faults.Fault;
import dev.doyen.simulator.faults.HealthFaults;
import dev.doyen.simulator.faults.LoopStalls;
import dev.doyen.simulator.faults.ManualEdits;
import dev.doyen.simulator.faults.Partitions;
import dev.doyen.simulator.faults.Pauses;
import dev.doyen.simulator.faults.StoreOutages;
import dev.doyen.simulator.faults.Suspensions;
import dev.doyen.simulator.faults.VoluntaryChanges;
import dev.doyen.simulator.faults.WallJumps;
import dev.doyen.simulator.world.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The processes of one run with their timing and clocks, and the faults.
 *
 * @param hosts the hosts, one for each process
 * @param watched true if the store notifies candidates of changes
 */
record Scenario(List<Host> hosts, List<String> elections, boolean watched, List<Fault> faults) {

    /** The maximum difference between the rate of a clock and 1, as docs/spec/lease.md assumes. */
    static final double RHO = 0.10;

    /**
     * A computer with one process.
     *
     * @param maySuspend true if faults can suspend the host; otherwise faults can set the host's wall clock back
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

    static Scenario draw(SeededRandom random) {
        int size = random.chance(0.7) ? 3 : random.chance(0.5) ? 2 : 4;
        boolean sameTiming = random.chance(0.75);
        boolean namesake = random.chance(0.3);
        boolean preferences = random.chance(0.25);
        double clocks = random.unit();
        LeaseTiming timing = timing(random);
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            // Two candidates with the same id are still two holders (L10).
            String id = namesake && i == 1 ? "node-0" : "node-" + i;
            hosts.add(new Host(
                    id,
                    sameTiming ? timing : timing(random),
                    rate(clocks, random),
                    rate(clocks, random),
                    // The origin is random. Sometimes the clock overflows during the run.
                    random.chance(0.2) ? Long.MAX_VALUE - random.seconds(0, 200) : random.next(),
                    1_790_000_000_000L + (long) random.between(-1e9, 1e9),
                    preferences ? priority(random) : Priority.DEFAULT,
                    random.chance(0.5)));
        }
        List<String> elections = random.chance(0.9) ? List.of("orders") : List.of("orders", "billing");
        return new Scenario(hosts, elections, random.chance(0.3), faults(random));
    }

    private static LeaseTiming timing(SeededRandom random) {
        int millis = random.chance(0.7) ? 10_000 : random.chance(0.5) ? 6_000 : 15_000;
        LeaseTiming timing = LeaseTiming.ofTtl(Duration.ofMillis(millis));
        return random.chance(0.5)
                ? timing
                : timing.withResignCooldown(Duration.ofMillis((long) random.between(0, millis)));
    }

    private static Priority priority(SeededRandom random) {
        int level = random.below(11) * 10;
        Priority priority = random.chance(0.5) ? Priority.sticky(level) : Priority.returning(level);
        return priority.withGeneration(random.below(3));
    }

    private static double rate(double clocks, SeededRandom random) {
        if (clocks < 0.4) {
            return random.chance(0.5) ? 1 - RHO : 1 + RHO;
        }
        return clocks < 0.8 ? random.between(1 - RHO, 1 + RHO) : 1 + random.between(-0.0005, 0.0005);
    }

    private static List<Fault> faults(SeededRandom random) {
        List<Fault> faults = new ArrayList<>();
        if (random.chance(0.9)) {
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
                HealthFaults::new,
                AdminCommands::new,
                ManualEdits::new,
                VoluntaryChanges::new);
        for (DoubleFunction<Fault> each : others) {
            if (random.chance(0.5)) {
                faults.add(each.apply(random.between(8, 60)));
            }
        }
        return faults;
    }
}
