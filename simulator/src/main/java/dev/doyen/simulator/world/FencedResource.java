package dev.doyen.simulator.world;

/**
 * What the work acts on. It remembers the highest term it has seen and refuses lower ones: the only cure for a process
 * that asked, was paused, and then acts.
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

    /** Acts of leaders that were none any more: the harm that was not done. */
    public long refused() {
        return refused;
    }
}
