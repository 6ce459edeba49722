package dev.doyen.hub;

/**
 * Decides whether the test suites of SDKs may create apps on the hub.
 *
 * <p>Every client may do everything on a sandbox, so the hub must not be reachable from outside. All apps share the
 * channels of the hub.
 */
public enum Sandbox {
    OFF,
    ON
}
