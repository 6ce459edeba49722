package dev.doyen.hub;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.HashSet;

/** Limits the number of members that a channel has. */
final class PresenceCapacity {

    private final HubSettings settings;

    PresenceCapacity(HubSettings settings) {
        this.settings = settings;
    }

    /** Rejects a frame that would exceed the maximum number of members. */
    void check(PresenceFrame frame) throws Refusal {
        if (!hasRoom(frame)) {
            throw full(frame);
        }
    }

    boolean hasRoom(PresenceFrame frame) {
        var newcomers = new HashSet<String>();
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (!entry.leaves() && frame.channel().member(frame.connection(), entry.clientId()) == null) {
                newcomers.add(entry.clientId());
            }
        }
        return newcomers.isEmpty()
                || frame.channel().members.size() + newcomers.size() <= settings.maxMembers(frame.channel().rule);
    }

    Refusal full(PresenceFrame frame) {
        return new Refusal(
                ErrorCode.TOO_MANY_MEMBERS,
                "channel " + Quote.of(frame.channel().name) + " has "
                        + frame.channel().members.size() + " members; at most "
                        + settings.maxMembers(frame.channel().rule) + " may be present");
    }
}
