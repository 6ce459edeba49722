package dev.doyen.server.sidecar;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * In which order a sidecar leaves: first it does not name its own candidate any more, then it holds the lease until the
 * app cannot be leading any more, then it gives the lease back, and only then it stops answering. Immutable.
 *
 * <p>The app may be told to end at the same time (a plain container) or may have ended before (a native sidecar). If there
 * is a sign of the app, that decides; if not, {@link Release} does. An app that is seen to live when the grace is almost
 * over is not overtaken: the lease is not given back, but runs out, which takes longer than what the app has left.
 */
public record Leaving(Release release, Duration grace, Phase phase, boolean appSeen, OptionalLong wakeAt) {

    /** Left for the release itself, and for the end of this program, before it is killed. */
    public static final Duration RESERVE = Duration.ofSeconds(2);

    /** How far it has got. */
    public enum Phase {
        SERVING,
        HOLDING,
        RELEASING,
        ENDED
    }

    /** What the driver is to do, in this order. */
    public enum Effect {
        /** Name the own candidate as the leader no more. */
        FALL_SILENT,
        /** Give the lease back; then say {@link #released}. */
        GIVE_BACK,
        /** Stop answering, and end. */
        END
    }

    /** What comes of an input. */
    public record Step(Leaving next, List<Effect> effects) {}

    public static Leaving begin(Release release, Duration grace) {
        return new Leaving(release, grace, Phase.SERVING, false, OptionalLong.empty());
    }

    /** This program is told to end; told a second time, it does not wait any longer. */
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

    /** The app has ended, or says that it leads no more, or the lease is not this candidate's any more. */
    public Step appStopped() {
        return phase == Phase.HOLDING ? to(Phase.RELEASING, Effect.GIVE_BACK) : stay();
    }

    /** The time is now. */
    public Step passed(long now) {
        if (phase != Phase.HOLDING || wakeAt.isEmpty() || wakeAt.getAsLong() - now > 0) {
            return stay();
        }
        return appSeen ? to(Phase.ENDED, Effect.END) : to(Phase.RELEASING, Effect.GIVE_BACK);
    }

    /** The lease is given back, or cannot be: it runs out by itself. */
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
