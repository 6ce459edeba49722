package dev.doyen.hub.auth;

import java.util.Optional;

/** A change of the keys that a hub accepts. */
@FunctionalInterface
public interface KeyChange {

    /**
     * Returns the access that the client has after the change.
     *
     * <p>The result equals {@code former} if the key of the client has not changed. The result is empty if the key was
     * removed, or has another secret.
     */
    Optional<Access> applyTo(Access former);
}
