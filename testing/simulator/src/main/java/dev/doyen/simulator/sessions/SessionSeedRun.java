package dev.doyen.simulator.sessions;

import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import java.util.function.LongFunction;

/**
 * Runs a seed and returns the violation; empty if there was none.
 *
 * <p>The signature of {@link #apply} uses only types of the JDK, so that callers in another class loader can use it.
 */
public final class SessionSeedRun implements LongFunction<String> {

    @Override
    public String apply(long seed) {
        return SessionSimulation.run(seed, Trace.NONE)
                .violation()
                .map(Violation::sentence)
                .orElse("");
    }
}
