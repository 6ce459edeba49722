package dev.doyen.hub;

/**
 * Decides whether the test suites of SDKs may create apps on the hub.
 *
 * <p>Every client may do everything on a sandbox, so the hub must not be reachable from outside. Each app has its own
 * channels.
 */
public enum Sandbox {
    OFF,
    ON
}
