package dev.doyen.server.sidecar;

import java.util.OptionalLong;

/**
 * Whether the candidate is to stand. Health is not here: the candidate looks after that itself. Immutable.
 *
 * @param appEnded whether the app was seen to run and then to end
 * @param asked whether an app has said over HTTP when to stand; from then on it stands only while that is said
 * @param standUntil until when the app wants it to stand; {@link System#nanoTime}
 */
public record Standing(boolean appEnded, boolean asked, OptionalLong standUntil) {

    /** Stands, until somebody objects. */
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
