package dev.doyen.fence;

/**
 * Remembers, for each guarded resource, the highest term it has admitted.
 *
 * <p>Threads: any. A fence guards as far as it reaches and as long as it remembers: keep it where the guarded data is,
 * and in the same transaction if there is one.
 */
public interface Fence {

    /** How many resources a fence in memory remembers, unless told otherwise: a few hundred bytes each. */
    int DEFAULT_RESOURCES = 10_000;

    /**
     * Admits {@code term} and remembers it, if no higher one was admitted before.
     *
     * @param resource what is guarded; 1 to 255 characters, no control characters
     * @param term 1 or more
     * @throws StaleTermException if a higher term was admitted before
     * @throws FenceFullException if the resource is new and no further one can be remembered
     */
    void admit(String resource, long term);

    /** A fence in this JVM's memory, for one resource server that loses its data with its memory. */
    static Fence inMemory() {
        return inMemory(DEFAULT_RESOURCES);
    }

    /** The same for at most {@code resources} resources, 1 or more. One more is refused, for none may be forgotten. */
    static Fence inMemory(int resources) {
        return new MemoryFence(resources);
    }
}
