package dev.doyen.fence;

/**
 * Remembers the highest term admitted for each guarded resource, and rejects lower terms.
 *
 * <p>A fence protects only the resources for which {@code admit} is called, and only as long as it stores the terms.
 * So store the fence beside the guarded data, and update both in the same transaction if possible.
 *
 * <p>Threads: any.
 */
public interface Fence {

    /** Default number of resources that a fence in memory remembers. Each resource needs a few hundred bytes. */
    int DEFAULT_RESOURCES = 10_000;

    /**
     * Admits and remembers {@code term}, unless a higher term was admitted before.
     *
     * @param resource the guarded resource; 1 to 255 characters, no control characters
     * @param term the term, 1 or more
     * @throws StaleTermException if a higher term was admitted before
     * @throws FenceFullException if the resource is new and the fence has no room for another one
     * @throws IllegalArgumentException if the name or the term is out of these bounds
     */
    void admit(String resource, long term);

    /**
     * Returns a fence in memory for {@link #DEFAULT_RESOURCES} resources.
     *
     * <p>Use this fence in a server that stores the guarded data in the memory of the same JVM.
     */
    static Fence inMemory() {
        return inMemory(DEFAULT_RESOURCES);
    }

    /**
     * Returns a fence in memory for at most {@code resources} resources, 1 or more.
     *
     * <p>The fence rejects further resources, because it must not forget any resource.
     */
    static Fence inMemory(int resources) {
        return new MemoryFence(resources);
    }
}
