package dev.doyen.elector;

import java.util.Optional;

/**
 * Decides who may send admin commands with an {@code Authorization} header.
 *
 * <p>Threads: the elector's thread. An implementation returns at once and reads only memory.
 */
@FunctionalInterface
public interface Admins {

    /**
     * Returns the reason why the sender of this header may not send commands for this election.
     *
     * @param authorization the request's {@code Authorization} header
     * @param address the remote address; empty if it is unknown
     * @return the reason as a sentence, which contains no part of the header; empty if the sender may send commands
     */
    Optional<String> refusal(String authorization, String address, String election);

    /**
     * Returns true if the sender of this header may send commands for every election, and see all of them.
     *
     * @param authorization the request's {@code Authorization} header
     */
    default boolean acceptsForAll(String authorization) {
        return false;
    }
}
