package dev.doyen.elector;

import java.util.Optional;

/** Who may give orders from elsewhere than this machine. Threads: the elector's; answers from memory, at once. */
@FunctionalInterface
public interface Admins {

    /** Where nobody can prove to be one. */
    Admins NOBODY = (authorization, election) -> Optional.of("this program knows no keys; leave Authorization out");

    /**
     * Why whoever sent this header may not give orders about this election; empty if it may.
     *
     * @param authorization the request's header of that name
     * @return a sentence without any of what the header said
     */
    Optional<String> refusal(String authorization, String election);
}
