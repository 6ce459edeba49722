package dev.doyen.sidecar;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides the order of a sidecar's shutdown. Immutable.
 *
 * <p>The sidecar first stops reporting its own candidate as the leader. It then holds the lease until the app cannot
 * lead any more, releases the lease, and only then stops answering.
 *
 * <p>The app may receive its signal at the same time (a plain container) or may have ended before (a native sidecar).
 * If the sidecar can observe the app, that decides; if not, {@link Release} does. If the app still lives when the grace
 * period is almost over, the lease is not released. It then expires after the app's grace period has ended.
 */
public record Leaving(Release release, Duration grace, Phase phase, boolean appSeen, OptionalLong wakeAt) {

    /** Time reserved for the release and for the exit of this program before it is killed. */
    public static final Duration RESERVE = Duration.ofSeconds(2);

    /** The phase of the shutdown. */
    public enum Phase {
        SERVING,
        HOLDING,
        RELEASING,
        ENDED
    }

    /** An effect for the driver; effects are carried out in order. */
    public enum Effect {
        /** Stop reporting this sidecar's candidate as the leader. */
        FALL_SILENT,
        /** Release the lease; then call {@link #released}. */
        GIVE_BACK,
        /** Stop answering, and exit. */
        END
    }

    /** The result of an input. */
    public record Step(Leaving next, List<Effect> effects) {}

    public static Leaving begin(Release release, Duration grace) {
        return new Leaving(release, grace, Phase.SERVING, false, OptionalLong.empty());
    }

    /** This program received a signal to end; a second signal ends the wait for the app. */
    public Step told(long now, boolean leads, AppSign app) {
        if (phase == Phase.HOLDING) {
            return to(Phase.RELEASING, Effect.GIVE_BACK);
        }
        if (phase != Phase.SERVING) {
            return stay();
        }
        boolean mayRelease = !leads || app == AppSign.GONE || (app == AppSign.UNKNOWN && release == Release.AT_ONCE);
        if (mayRelease) {
            return to(Phase.RELEASING, Effect.FALL_SILENT, Effect.GIVE_BACK);
        }
        var patience = grace.minus(RESERVE);
        var until = now + Math.max(0, patience.toNanos());
        var holding = new Leaving(release, grace, Phase.HOLDING, app == AppSign.LIVES, OptionalLong.of(until));
        return new Step(holding, List.of(Effect.FALL_SILENT));
    }

    /** The app has ended, or reports that it has stopped leading, or the candidate has lost the lease. */
    public Step appStopped() {
        return phase == Phase.HOLDING ? to(Phase.RELEASING, Effect.GIVE_BACK) : stay();
    }

    /** Time has passed. */
    public Step passed(long now) {
        if (phase != Phase.HOLDING || wakeAt.isEmpty() || wakeAt.getAsLong() - now > 0) {
            return stay();
        }
        return appSeen ? to(Phase.ENDED, Effect.END) : to(Phase.RELEASING, Effect.GIVE_BACK);
    }

    /** The lease is released, or could not be released and will expire. */
    public Step released() {
        return phase == Phase.RELEASING ? to(Phase.ENDED, Effect.END) : stay();
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private Step to(Phase then, Effect... effects) {
        return new Step(new Leaving(release, grace, then, appSeen, OptionalLong.empty()), List.of(effects));
    }
}
