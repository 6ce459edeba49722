package dev.doyen.demo.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * A seeded random generator that yields the same numbers on every JVM.
 *
 * <p>Source: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
 */
final class SeededRandom {

    private long state;

    SeededRandom(long seed) {
        state = seed;
    }

    /** Returns a number from 0 to {@code bound} - 1. */
    int below(int bound) {
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (int) Long.remainderUnsigned(z ^ (z >>> 31), bound);
    }

    /** Returns the numbers in a random order. Each draw takes any remaining number with almost the same probability. */
    List<Integer> shuffled(List<Integer> numbers) {
        var left = new ArrayList<>(numbers);
        var drawn = new ArrayList<Integer>();
        while (!left.isEmpty()) {
            drawn.add(left.remove(/* index */ below(left.size())));
        }
        return drawn;
    }
}
