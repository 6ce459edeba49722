package dev.doyen.hub.channel;

import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import org.jspecify.annotations.Nullable;

/** A client id that is present on a channel through one connection. */
public final class Member {

    public final Channel channel;
    /** Replaced when the connection moves to or from another node. */
    public Connection connection;

    public final String clientId;

    /** The member's last presence event. The channel's history shares this object. */
    public PresenceMessage event;
    /** The id of the last event that the client caused. */
    public PresenceId ownId;
    /** The claim in the member's data; null if none. */
    @Nullable
    public ClaimData claim;

    private String spelling;

    public Member(
            Channel channel,
            Connection connection,
            String clientId,
            PresenceMessage event,
            PresenceId ownId,
            String spelling) {
        this.channel = channel;
        this.connection = connection;
        this.clientId = clientId;
        this.event = event;
        this.ownId = ownId;
        this.spelling = shared(spelling, channel);
    }

    /**
     * Returns the member's state for a SYNC. It has the id and time of the last event, so that SDKs do not report it as
     * new.
     */
    public PresenceMessage state() {
        return event.withAction(PresenceAction.PRESENT);
    }

    /** The channel name as the connection writes it. */
    public String spelling() {
        return spelling;
    }

    public void spelled(String newSpelling) {
        spelling = shared(newSpelling, channel);
    }

    /** Most clients use the channel's own name. Shares that string instead of a copy per member. */
    private static String shared(String spelling, Channel channel) {
        return spelling.equals(channel.name) ? channel.name : spelling;
    }

    /** Returns the term of the member's claim; 0 if it does not claim. */
    public long term() {
        return claim == null ? 0 : Extras.termOf(event.extras());
    }

    public Channel.MemberKey key() {
        return new Channel.MemberKey(connection.id, clientId);
    }
}
