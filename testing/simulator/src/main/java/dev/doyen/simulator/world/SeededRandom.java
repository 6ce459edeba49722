package dev.doyen.simulator.world;

/**
 * The seeded random numbers of one run.
 *
 * <p>The generator is SplitMix64 (Steele, Lea, Flood 2014), which is the same on every JVM.
 *
 * <p>Threads: only the thread of the run uses this class.
 */
public final class SeededRandom {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public SeededRandom(long seed) {
        this.state = seed;
    }

    public long next() {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    public double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    public boolean chance(double probability) {
        return unit() < probability;
    }

    /** Returns a number from 0 (inclusive) to {@code bound} (exclusive). */
    public int below(int bound) {
        return (int) (unit() * bound);
    }

    /** Returns a number from {@code least} (inclusive) to {@code most} (exclusive). */
    public double between(double least, double most) {
        return least + unit() * (most - least);
    }

    /** Returns a duration in nanoseconds, between two numbers of seconds. */
    public long seconds(double least, double most) {
        return (long) (between(least, most) * 1e9);
    }

    /**
     * Returns an independent generator.
     *
     * <p>So one part of a run, such as the network, does not affect the random numbers of another part.
     */
    public SeededRandom split() {
        return new SeededRandom(next());
    }
}
