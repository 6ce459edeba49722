package dev.doyen.hub;

import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import org.jspecify.annotations.Nullable;

/** A client id present on a channel through one connection. */
final class Member {

    final Channel channel;
    /** Another object once the connection has moved from or to another node. */
    Connection connection;

    final String clientId;

    /** The last event that was told of it, which the channel's past has as well. */
    PresenceMessage event;
    /** The id of the last event the client itself caused. */
    PresenceId ownId;
    /** What its data claims; null if nothing. */
    @Nullable
    ClaimData claim;

    private String spelling;

    Member(
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

    /** As a SYNC tells it: with the id and time of its last event, so that no SDK takes it for news. */
    PresenceMessage state() {
        return event.withAction(PresenceAction.PRESENT);
    }

    /** How its connection spells the channel. */
    String spelling() {
        return spelling;
    }

    void spelled(String newSpelling) {
        spelling = shared(newSpelling, channel);
    }

    /** Most spell it by its name; there need not be as many copies of that as members. */
    private static String shared(String spelling, Channel channel) {
        return spelling.equals(channel.name) ? channel.name : spelling;
    }

    /** The term of what it claims; 0 if it claims nothing. */
    long term() {
        return claim == null ? 0 : Extras.termOf(event.extras());
    }

    Channel.MemberKey key() {
        return new Channel.MemberKey(connection.id, clientId);
    }
}
