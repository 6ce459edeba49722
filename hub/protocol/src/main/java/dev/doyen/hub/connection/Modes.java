package dev.doyen.hub.connection;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Refusal;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the modes of an attachment, as bits of {@link Flags}.
 *
 * <p>The parameter {@code modes} applies if it is present, otherwise the flags of the frame, otherwise the default
 * modes.
 */
final class Modes {

    static final String PARAM = "modes";

    private static final Map<String, Integer> BY_NAME = Map.of(
            "presence", Flags.PRESENCE,
            "publish", Flags.PUBLISH,
            "subscribe", Flags.SUBSCRIBE,
            "presence_subscribe", Flags.PRESENCE_SUBSCRIBE);

    private Modes() {}

    /**
     * Returns the requested modes that this hub supports, or the default modes if none was requested. Throws a
     * {@link Refusal} if the hub supports no requested mode.
     */
    static int requested(@Nullable String param, int flags) throws Refusal {
        int requested = flags & Flags.ALL_MODES;
        if (param != null) {
            requested = 0;
            for (String name : param.split(",", -1)) {
                requested |= BY_NAME.getOrDefault(name.trim().toLowerCase(Locale.ROOT), 0);
            }
        } else if (requested == 0) {
            return Flags.DEFAULT_MODES;
        }
        int granted = requested & Flags.SUPPORTED_MODES;
        if (granted == 0) {
            throw new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "none of the requested channel modes exists; this hub has publish, subscribe, presence and"
                            + " presence_subscribe");
        }
        return granted;
    }

    /** Returns the requested modes that are allowed. Throws a {@link Refusal} if no requested mode is allowed. */
    static int granted(int requested, int allowed) throws Refusal {
        if ((requested & allowed) == 0) {
            throw new Refusal(ErrorCode.NOT_ALLOWED, "the key or token allows none of the requested channel modes");
        }
        return requested & allowed;
    }
}
