package dev.doyen.elector;

/**
 * Decides who may send admin commands with an {@code Authorization} header.
 *
 * <p>Threads: the elector's thread. An implementation returns at once and reads only memory.
 */
@FunctionalInterface
public interface Admins {

    /**
     * Checks whether the sender of this header may send commands for this election. The result contains no secret.
     *
     * @param authorization the request's {@code Authorization} header
     * @param address the remote address; empty if it is unknown
     */
    AdminCheck check(String authorization, String address, String election);

    /**
     * Returns true if the sender may send commands for every election, and see all elections.
     *
     * @param authorization the request's {@code Authorization} header
     */
    default boolean acceptsForAll(String authorization) {
        return false;
    }
}
