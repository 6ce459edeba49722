package dev.doyen.hub;

/**
 * Whether the test suites of SDKs may create apps with keys on a hub.
 *
 * <p>Every client may do everything on a sandbox, so it must not be reachable from outside. All apps share the hub's
 * channels.
 */
public enum Sandbox {
    OFF,
    ON
}
