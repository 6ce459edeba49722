package dev.doyen.hub;

/**
 * Whether test suites of SDKs may make apps, with keys of their own, on a hub.
 *
 * <p>Whoever reaches a sandbox may do everything on it, so it must not be reached from elsewhere. Its apps share the
 * hub's channels.
 */
public enum Sandbox {
    OFF,
    ON
}
