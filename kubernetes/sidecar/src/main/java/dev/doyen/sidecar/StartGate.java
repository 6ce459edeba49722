package dev.doyen.sidecar;

import java.time.Duration;

/**
 * Decides when the app may start. Immutable.
 *
 * <p>Many apps read the leader only once, immediately after their start. So the app may start as soon as a leader is
 * known. If no leader is known after 10 s, the app may start after the first call of the store has ended. So the app
 * also starts if nobody leads, or if the store is unavailable. If nobody leads, and the candidate can lead only after
 * the app has started, the app starts at once.
 *
 * @param openAt the earliest time at which the gate opens without a leader, by {@link System#nanoTime}
 * @param storeCalled true after the first call of the store, even if the call has failed
 */
public record StartGate(long openAt, boolean leaderKnown, boolean storeCalled) {

    /**
     * The time after which the gate opens without a leader. The time is short, because a Kubernetes startup probe with
     * default settings kills the container after 30 s.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * The time after which readiness no longer waits for a step-down request (rule M8), so that a store fault cannot
     * block a rolling update.
     */
    public static final Duration REQUEST_PATIENCE = Duration.ofSeconds(30);

    public static StartGate startedAt(long now) {
        return new StartGate(now + PATIENCE.toNanos(), false, false);
    }

    /** Records whether a leader is known. After the first known leader, the gate stays open. */
    public StartGate seen(boolean leader) {
        return leader ? new StartGate(openAt, true, storeCalled) : this;
    }

    /** Records that a call of the store has ended. */
    public StartGate called() {
        return storeCalled ? this : new StartGate(openAt, leaderKnown, true);
    }

    /**
     * Returns true if the app may start.
     *
     * @param waitsForApp true if nobody leads, and the candidate campaigns only if the app is healthy
     */
    public boolean isOpenAt(long now, boolean waitsForApp) {
        return leaderKnown || waitsForApp || (storeCalled && openAt - now <= 0);
    }

    /**
     * Returns true if the pod must not be ready yet.
     *
     * <p>Kubernetes ends an old pod as soon as a new pod is ready. If the old pod leads, its record must contain the
     * request of a new pod before. Otherwise the leadership could move to another old pod.
     *
     * @param mustAsk true if a candidate of an older generation leads, and its record contains no request yet
     */
    public boolean delaysReadinessAt(long now, boolean mustAsk) {
        return mustAsk && openAt + REQUEST_PATIENCE.minus(PATIENCE).toNanos() - now > 0;
    }
}
