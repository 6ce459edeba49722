package dev.doyen.elector;

import java.util.Optional;

/** Who may give orders from elsewhere than this machine. Threads: the elector's; answers from memory, at once. */
@FunctionalInterface
public interface Admins {

    /** Where nobody can prove to be one. */
    Admins NOBODY =
            (authorization, address, election) -> Optional.of("this program knows no keys; leave Authorization out");

    /**
     * Why whoever sent this header may not give orders about this election; empty if it may.
     *
     * @param authorization the request's header of that name
     * @param address where it came from; empty if that is unknown
     * @return a sentence without any of what the header said
     */
    Optional<String> refusal(String authorization, String address, String election);
}
