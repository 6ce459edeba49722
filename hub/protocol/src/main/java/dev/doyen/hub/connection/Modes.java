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
 * <p>The parameter {@code modes} applies first, then the flags of the frame, then the default modes.
 */
final class Modes {

    static final String PARAM = "modes";

    private static final Map<String, Integer> BY_NAME = Map.of(
            "presence", Flags.PRESENCE,
            "publish", Flags.PUBLISH,
            "subscribe", Flags.SUBSCRIBE,
            "presence_subscribe", Flags.PRESENCE_SUBSCRIBE);

    private Modes() {}

    /** Returns the requested modes that this hub supports. */
    static int asked(@Nullable String param, int flags) throws Refusal {
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
                    "none of the channel modes asked for can be granted; this hub has publish, subscribe, presence and"
                            + " presence_subscribe");
        }
        return granted;
    }

    /** Returns the requested modes that are allowed. Errors: a {@link Refusal} if none is. */
    static int granted(int asked, int allowed) throws Refusal {
        if ((asked & allowed) == 0) {
            throw new Refusal(ErrorCode.NOT_ALLOWED, "the key or token allows none of the channel modes asked for");
        }
        return asked & allowed;
    }
}
