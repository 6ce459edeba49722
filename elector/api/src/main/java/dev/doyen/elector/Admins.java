package dev.doyen.elector;

import java.util.Optional;

/**
 * Decides on admin commands that come from other machines.
 *
 * <p>Threads: the elector's. It answers at once, from memory.
 */
@FunctionalInterface
public interface Admins {

    /** Accepts no key. */
    Admins NOBODY =
            (authorization, address, election) -> Optional.of("this program knows no keys; leave Authorization out");

    /**
     * Why the sender of this header may not send commands about this election; empty if it may.
     *
     * @param authorization the request's {@code Authorization} header
     * @param address the remote address; empty if it is unknown
     * @return a sentence that contains no part of the header
     */
    Optional<String> refusal(String authorization, String address, String election);
}
