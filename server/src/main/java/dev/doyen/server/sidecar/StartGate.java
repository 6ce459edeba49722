package dev.doyen.server.sidecar;

import java.time.Duration;

/**
 * From when on the app may start and ask: as soon as a leader is known. Many apps ask once, at once, and take what they
 * hear for good. Bounded, for an app must not be kept from starting because the store is away. Immutable.
 *
 * @param openAt when it opens at the latest; {@link System#nanoTime}
 */
public record StartGate(long openAt, boolean leaderKnown) {

    /** A startup probe with the defaults of Kubernetes gives up after 30 s, and kills. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    public static StartGate startedAt(long now) {
        return new StartGate(now + PATIENCE.toNanos(), false);
    }

    /** Once a leader was known, the gate stays open. */
    public StartGate seen(boolean leader) {
        return leader ? new StartGate(openAt, true) : this;
    }

    public boolean isOpenAt(long now) {
        return leaderKnown || openAt - now <= 0;
    }
}
