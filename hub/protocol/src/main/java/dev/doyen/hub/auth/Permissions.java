package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;

/** Checks which operations a client's access allows on a channel. */
public final class Permissions {

    private Permissions() {}

    /** Rejects an operation that the client's key or token does not allow. */
    public static void require(Access access, String channel, Operation operation) throws Refusal {
        if (!access.allows(channel, operation)) {
            throw new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    (access.isToken() ? "this token of the key " : "the key ") + Quote.of(access.keyName())
                            + " does not allow " + operation.spelling() + " on channel " + Quote.of(channel));
        }
    }

    /** Returns the modes that an attachment may have, as bits of {@link Flags}. */
    public static int modes(Access access, String channel) {
        int modes = 0;
        if (access.allows(channel, Operation.PUBLISH)) {
            modes |= Flags.PUBLISH;
            modes |= access.allows(channel, Operation.ANNOTATION_PUBLISH) ? Flags.ANNOTATION_PUBLISH : 0;
        }
        if (access.allows(channel, Operation.SUBSCRIBE)) {
            modes |= Flags.SUBSCRIBE | Flags.PRESENCE_SUBSCRIBE;
        }
        if (access.allows(channel, Operation.PRESENCE)) {
            modes |= Flags.PRESENCE;
        }
        return modes;
    }
}
