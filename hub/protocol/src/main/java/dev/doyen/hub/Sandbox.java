package dev.doyen.hub;

/**
 * The setting that allows the test suites of SDKs to create apps with keys on a hub.
 *
 * <p>Every client may do everything on a sandbox, so the hub must not be reachable from outside. All apps share the
 * channels of the hub.
 */
public enum Sandbox {
    OFF,
    ON
}
