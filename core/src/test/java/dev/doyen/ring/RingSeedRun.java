package dev.doyen.ring;

import java.util.TreeMap;
import java.util.function.BiFunction;

/** Runs a seed, with voters or without, and tells the violation, or "": in words of the JDK, for other class loaders. */
public final class RingSeedRun implements BiFunction<Boolean, Long, String> {

    @Override
    public String apply(Boolean hasVoters, Long seed) {
        var algorithm = seed % 2 == 0 ? RingAlgorithm.CHANG_ROBERTS : RingAlgorithm.PETERSON;
        try {
            new RingWorld(algorithm, hasVoters, seed, new TreeMap<>()).run();
            return "";
        } catch (AssertionError | RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
