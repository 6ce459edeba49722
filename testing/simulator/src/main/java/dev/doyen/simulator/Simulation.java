package dev.doyen.simulator;

import dev.doyen.simulator.faults.Fault;
import dev.doyen.simulator.invariants.HealsWithinBound;
import dev.doyen.simulator.invariants.Invariants;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimClock;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.World;
import java.util.Optional;

/**
 * Runs one seed, first with faults and then without faults.
 *
 * <p>The first phase takes {@value #FAULTY_SECONDS} simulated seconds, in which the safety rules must hold. The second
 * phase lasts for the longest time that healing can need, plus ten seconds. In these ten seconds each leader must keep
 * its term. The only exception is a transfer in a run with priorities.
 */
public final class Simulation {

    private static final int FAULTY_SECONDS = 160;
    private static final long NANOS = 1_000_000_000L;

    private Simulation() {}

    /** The outcome of a seed. Each run of the seed has the same outcome. */
    public record Outcome(long seed, Optional<Violation> violation, Tally tally) {}

    public static Outcome run(long seed, Trace trace) {
        var random = new SeededRandom(seed);
        Scenario scenario = Scenario.draw(random.split());
        var tally = new Tally();
        var healing = new HealsWithinBound(Scenario.RHO, scenario.watched());
        Invariants invariants = Invariants.all(Scenario.RHO, healing, tally);
        var world = new World(scenario.elections(), scenario.watched(), random.split(), invariants, trace);
        try {
            people(world, scenario);
            scenario.faults().forEach(fault -> fault.begin(world));
            world.agenda().runUntil(FAULTY_SECONDS * NANOS);
            tally.faultsEnd(world);
            scenario.faults().forEach(Fault::lift);
            world.heal();
            healing.healed(world);
            world.agenda().runUntil(world.now() + healing.longest(world) + 10 * NANOS);
            invariants.finish(world);
            return new Outcome(seed, Optional.empty(), tally);
        } catch (Violation violation) {
            world.trace("VIOLATED", violation.sentence());
            return new Outcome(seed, Optional.of(violation), tally);
        }
    }

    private static void people(World world, Scenario scenario) {
        int number = 0;
        for (Scenario.Host host : scenario.hosts()) {
            var clock = new SimClock(
                    world.agenda(), host.rate(), host.wallRate(), host.nanosOrigin(), host.wallOriginMillis());
            var process = new SimProcess(
                    world, number++, host.id(), clock, host.timing(), host.priority(), host.maySuspend());
            world.processes().add(process);
            world.agenda().after(world.random().seconds(0, 3), process::start);
        }
    }
}
