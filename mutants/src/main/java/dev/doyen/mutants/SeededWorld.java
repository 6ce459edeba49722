package dev.doyen.mutants;

import java.util.function.LongFunction;

/**
 * Runs the world of a seed and tells the violation, or "": in words of the JDK, for other class loaders. Stands in the package of
 * the machine it tries, has a public constructor, and is public.
 */
public interface SeededWorld extends LongFunction<String> {

    /** Throws {@link AssertionError} or {@link RuntimeException} if a promise was broken. */
    void run(long seed);

    @Override
    default String apply(long seed) {
        try {
            run(seed);
            return "";
        } catch (AssertionError | RuntimeException e) {
            return String.valueOf(e);
        }
    }
}
