package dev.doyen.simulator.world;

/**
 * The resource that the work uses. It remembers the highest term that it has seen and rejects lower ones.
 *
 * <p>Only such a fence stops a process that checks its leadership, is paused, and then acts.
 */
public final class FencedResource {

    private long highest;
    private long accepted;
    private long refused;

    void act(long term) {
        if (term < highest) {
            refused++;
        } else {
            highest = term;
            accepted++;
        }
    }

    public long accepted() {
        return accepted;
    }

    /** Returns the number of acts of former leaders that the fence rejected. */
    public long refused() {
        return refused;
    }
}
