package dev.doyen.program.kubernetes;

import java.util.Optional;

/** A pod with any kind of elector. */
interface Competitor {

    String pod();

    /**
     * Returns the leader that {@code GET /} names.
     *
     * <p>The name is an empty string if no leader exists. The result is {@code Optional.empty()} if the elector has
     * ended.
     */
    Optional<String> named();

    /** Returns true if this elector names its own pod as the leader. */
    default boolean leads() {
        return named().equals(Optional.of(pod()));
    }

    /** Ends this pod as a rollout does, and returns when the Pod is deleted. */
    void end() throws Exception;
}
