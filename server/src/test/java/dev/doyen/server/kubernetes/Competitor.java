package dev.doyen.server.kubernetes;

import java.util.Optional;

/** A pod with an elector in it, of whatever make. */
interface Competitor {

    String pod();

    /** Whom {@code GET /} names; the empty name for nobody, and empty if it does not answer, for it has ended. */
    Optional<String> named();

    /** Whether it tells its own app that this leads. */
    default boolean leads() {
        return named().equals(Optional.of(pod()));
    }

    /** Ends as a pod that is replaced does, and returns when the Pod is deleted. */
    void end() throws Exception;
}
