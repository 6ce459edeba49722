package dev.doyen.simulator;

import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import java.util.function.LongFunction;

/** Runs a seed and tells the violation, or "": all in words of the JDK, so that it may be called across class loaders. */
public final class SeedRun implements LongFunction<String> {

    @Override
    public String apply(long seed) {
        return Simulation.run(seed, Trace.NONE)
                .violation()
                .map(Violation::sentence)
                .orElse("");
    }
}
