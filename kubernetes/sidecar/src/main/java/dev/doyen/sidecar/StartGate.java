package dev.doyen.sidecar;

import java.time.Duration;

/**
 * Decides when the app may start: as soon as a leader is known, or after 10 s. Immutable.
 *
 * <p>Many apps ask once, right after their start, and never again. The time limit lets the app start even if the store
 * is unavailable.
 *
 * @param openAt when the gate opens at the latest; {@link System#nanoTime}
 */
public record StartGate(long openAt, boolean leaderKnown) {

    /** A Kubernetes startup probe with default settings kills the container after 30 s. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    public static StartGate startedAt(long now) {
        return new StartGate(now + PATIENCE.toNanos(), false);
    }

    /** After a leader was known, the gate stays open. */
    public StartGate seen(boolean leader) {
        return leader ? new StartGate(openAt, true) : this;
    }

    public boolean isOpenAt(long now) {
        return leaderKnown || openAt - now <= 0;
    }
}
