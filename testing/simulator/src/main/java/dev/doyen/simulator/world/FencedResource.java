package dev.doyen.simulator.world;

/**
 * The resource that the work uses. The resource remembers the highest term that it has accepted and rejects lower
 * terms.
 *
 * <p>A process can check its leadership, be paused, and act after its term has ended. Only a fence rejects that act.
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
