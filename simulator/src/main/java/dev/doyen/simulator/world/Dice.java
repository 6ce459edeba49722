package dev.doyen.simulator.world;

/**
 * All the chance of one run, from one seed: SplitMix64 (Steele, Lea, Flood 2014), the same on every JVM.
 *
 * <p>Threads: for one run, hence one thread.
 */
public final class Dice {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public Dice(long seed) {
        this.state = seed;
    }

    public long next() {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** From 0 to, but not including, 1. */
    public double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    public boolean chance(double probability) {
        return unit() < probability;
    }

    /** From 0 to, but not including, {@code bound}. */
    public int below(int bound) {
        return (int) (unit() * bound);
    }

    /** From {@code least} to, but not including, {@code most}. */
    public double between(double least, double most) {
        return least + unit() * (most - least);
    }

    /** A duration between two numbers of seconds, in nanoseconds. */
    public long seconds(double least, double most) {
        return (long) (between(least, most) * 1e9);
    }

    /** Other dice, so that what one part of the world draws does not depend on how often another did. */
    public Dice split() {
        return new Dice(next());
    }
}
