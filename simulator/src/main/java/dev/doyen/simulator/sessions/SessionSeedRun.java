package dev.doyen.simulator.sessions;

import dev.doyen.simulator.world.Violation;
import java.util.function.LongFunction;

/** Runs a seed and tells the violation, or "": all in words of the JDK, so that it may be called across class loaders. */
public final class SessionSeedRun implements LongFunction<String> {

    @Override
    public String apply(long seed) {
        return SessionSimulation.run(seed).violation().map(Violation::sentence).orElse("");
    }
}
