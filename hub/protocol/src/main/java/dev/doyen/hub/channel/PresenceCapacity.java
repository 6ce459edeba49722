package dev.doyen.hub.channel;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.HashSet;

/** Limits the number of members that a channel has. */
public final class PresenceCapacity {

    private final HubSettings settings;

    public PresenceCapacity(HubSettings settings) {
        this.settings = settings;
    }

    /** Rejects a frame that would exceed the maximum number of members. */
    public void check(PresenceFrame frame) throws Refusal {
        if (!hasRoom(frame)) {
            throw full(frame);
        }
    }

    public boolean hasRoom(PresenceFrame frame) {
        var newcomers = new HashSet<String>();
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (!entry.leaves() && frame.channel().member(frame.connection(), entry.clientId()) == null) {
                newcomers.add(entry.clientId());
            }
        }
        return newcomers.isEmpty()
                || frame.channel().members.size() + newcomers.size() <= settings.maxMembers(frame.channel().rule);
    }

    public Refusal full(PresenceFrame frame) {
        return new Refusal(
                ErrorCode.TOO_MANY_MEMBERS,
                "channel " + Quote.of(frame.channel().name) + " has "
                        + frame.channel().members.size() + " members; at most "
                        + settings.maxMembers(frame.channel().rule) + " may be present");
    }
}
