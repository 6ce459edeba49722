package dev.doyen.sidecar;

import java.util.OptionalLong;

/**
 * Decides whether the candidate campaigns, apart from its health, which it checks itself. Immutable.
 *
 * @param appEnded whether the app was seen running and has ended
 * @param asked whether the app controls this over HTTP; from then on the candidate campaigns only on request
 * @param standUntil until when the app wants the candidate to campaign; {@link System#nanoTime}
 */
public record Standing(boolean appEnded, boolean asked, OptionalLong standUntil) {

    /** The initial state: the candidate campaigns. */
    public static final Standing BEGIN = new Standing(false, false, OptionalLong.empty());

    public Standing app(boolean ended) {
        return new Standing(ended, asked, standUntil);
    }

    public Standing standUntil(long nanos) {
        return new Standing(appEnded, true, OptionalLong.of(nanos));
    }

    public Standing standBack() {
        return new Standing(appEnded, true, OptionalLong.empty());
    }

    public boolean standsAt(long now) {
        boolean wanted = !asked || (standUntil.isPresent() && standUntil.getAsLong() - now > 0);
        return wanted && !appEnded;
    }
}
