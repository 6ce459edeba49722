package dev.doyen.sidecar;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides the order of a sidecar's shutdown. Immutable.
 *
 * <p>The sidecar first stops reporting its own candidate as the leader. If the candidate leads, the sidecar then waits
 * until the app no longer works as the leader. A second signal ends this wait. After the wait, the sidecar releases the
 * lease. After the release, the sidecar stops answering requests.
 *
 * <p>In a plain container, the sidecar receives its signal at the same time as the app. A native sidecar receives its
 * signal after the app has ended. If the sidecar can observe the app, the observation determines the time of the
 * release. Otherwise {@link Release} determines this time. If the app still runs when the grace period is almost over,
 * the sidecar exits and does not release the lease. The remaining grace period is then at most a quarter of the ttl. A
 * leader renews its lease several times in a ttl, so the lease expires after the app's grace period has ended.
 *
 * <p>Times are values of {@link System#nanoTime}.
 */
public record Leaving(
        Release release, Duration grace, Duration ttl, Phase phase, boolean appSeen, OptionalLong wakeAt) {

    /** The time that the shutdown reserves for the release and the exit of this program. */
    public static final Duration RESERVE = Duration.ofSeconds(2);

    /** The phase of the shutdown. */
    public enum Phase {
        SERVING,
        HOLDING,
        RELEASING,
        ENDED
    }

    /** An effect for the driver, which carries out effects in order. */
    public enum Effect {
        /** The driver stops reporting this sidecar's candidate as the leader. */
        STOP_REPORTING,
        /** The driver releases the lease, and then calls {@link #released}. */
        RELEASE,
        /** The driver stops answering requests and exits. */
        END
    }

    /** The result of an input. */
    public record Step(Leaving next, List<Effect> effects) {}

    public static Leaving begin(Release release, Duration grace, Duration ttl) {
        return new Leaving(release, grace, ttl, Phase.SERVING, false, OptionalLong.empty());
    }

    /** Records that this program has received a signal to end. A second signal ends the wait for the app. */
    public Step signalReceived(long now, boolean leads, AppSign app) {
        if (phase == Phase.HOLDING) {
            return to(Phase.RELEASING, Effect.RELEASE);
        }
        if (phase != Phase.SERVING) {
            return stay();
        }
        boolean mayRelease = !leads || app == AppSign.ENDED || (app == AppSign.UNKNOWN && release == Release.AT_ONCE);
        if (mayRelease) {
            return to(Phase.RELEASING, Effect.STOP_REPORTING, Effect.RELEASE);
        }
        boolean seen = app == AppSign.RUNNING;
        var patience = grace.minus(seen ? shorter(RESERVE, ttl.dividedBy(4)) : RESERVE);
        var until = now + Math.max(0, patience.toNanos());
        var holding = new Leaving(release, grace, ttl, Phase.HOLDING, seen, OptionalLong.of(until));
        return new Step(holding, List.of(Effect.STOP_REPORTING));
    }

    /**
     * Records that the app cannot lead any more.
     *
     * <p>The caller calls this method after the app has ended, after the app has reported that it no longer leads, or
     * after the candidate has lost the lease.
     */
    public Step appStopped() {
        return phase == Phase.HOLDING ? to(Phase.RELEASING, Effect.RELEASE) : stay();
    }

    /** Records that time has passed. */
    public Step passed(long now) {
        if (phase != Phase.HOLDING || wakeAt.isEmpty() || wakeAt.getAsLong() - now > 0) {
            return stay();
        }
        return appSeen ? to(Phase.ENDED, Effect.END) : to(Phase.RELEASING, Effect.RELEASE);
    }

    /** Records the end of the release. A lease that could not be released will expire. */
    public Step released() {
        return phase == Phase.RELEASING ? to(Phase.ENDED, Effect.END) : stay();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private Step to(Phase then, Effect... effects) {
        return new Step(new Leaving(release, grace, ttl, then, appSeen, OptionalLong.empty()), List.of(effects));
    }
}
