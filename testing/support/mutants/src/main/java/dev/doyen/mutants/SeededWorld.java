package dev.doyen.mutants;

import java.util.function.LongFunction;

/**
 * A simulation that runs a seed and returns the violation; empty if there is none.
 *
 * <p>An implementation is public, has a public constructor, and is in the package of the machine under test. The caller
 * has another class loader and uses the implementation as a {@link LongFunction}, because both class loaders share only
 * the types of the JDK.
 */
public interface SeededWorld extends LongFunction<String> {

    /**
     * Runs one seed.
     *
     * @throws AssertionError if the machine broke a promise
     * @throws RuntimeException if the machine broke a promise
     */
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
