package dev.doyen.program.kubernetes;

import java.util.Optional;

/** A pod with any kind of elector. */
interface Competitor {

    String pod();

    /**
     * The leader that {@code GET /} names.
     *
     * <p>The name is empty if there is no leader. The result is empty if the elector has ended and does not answer.
     */
    Optional<String> named();

    /** Whether it names its own pod as the leader. */
    default boolean leads() {
        return named().equals(Optional.of(pod()));
    }

    /** Ends like a pod that is replaced; returns when the Pod is deleted. */
    void end() throws Exception;
}
