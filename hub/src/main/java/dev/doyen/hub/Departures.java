package dev.doyen.hub;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a connection leaves behind when it detaches, is lost or ends: members, claims, attachments (rule C6). */
final class Departures {

    private final Channels channels;
    private final Log log;
    private final Claims claims;

    Departures(Channels channels, Log log, Claims claims) {
        this.channels = channels;
        this.log = log;
        this.claims = claims;
    }

    /** Members leave every channel, claims that wait are withdrawn. */
    void leaveAll(Turn turn, Connection connection, String why) {
        Set<Channel> touched = connection.channels();
        connection.waitingClaims.forEach(waiting -> touched.add(waiting.channel()));
        for (Channel channel : touched) {
            leave(turn, connection, channel, why);
        }
    }

    /** Members stay with a connection that this node has no longer; what it claims here ends. */
    void goElsewhere(Turn turn, Connection connection) {
        for (WaitingClaim waiting : List.copyOf(connection.waitingClaims)) {
            claims.withdraw(turn, waiting.channel(), connection, waiting.clientId, "its connection went elsewhere");
            channels.settle(turn, waiting.channel());
        }
        connection.channels().forEach(channel -> claims.abandon(turn, channel, connection));
    }

    /** Members leave one channel. */
    void leave(Turn turn, Connection connection, Channel channel, String why) {
        for (WaitingClaim waiting : List.copyOf(connection.waitingClaims)) {
            if (waiting.channel() == channel) {
                claims.withdraw(turn, channel, connection, waiting.clientId, why);
            }
        }
        if (connection.channels().contains(channel)) {
            log.append(turn, new Change.Left(channel, connection), Log.UNHEARD);
        }
        channels.settle(turn, channel);
    }

    /** Attachments end; members stay. */
    void detachAll(Turn turn, Connection connection) {
        Map<String, Attachment> ending = new LinkedHashMap<>(connection.attachments);
        connection.attachments.clear();
        for (Attachment attachment : ending.values()) {
            attachment.channel.remove(attachment);
            channels.settle(turn, attachment.channel);
        }
    }

    /** One attachment ends by DETACH or by an error. Members leave with the connection's last one on the channel. */
    void detach(Turn turn, Attachment attachment) {
        Connection connection = attachment.connection;
        connection.attachments.remove(attachment.spelling);
        attachment.channel.remove(attachment);
        boolean stillAttached = false;
        for (Attachment other : connection.attachments.values()) {
            stillAttached |= other.channel == attachment.channel;
        }
        if (!stillAttached) {
            leave(turn, connection, attachment.channel, "its connection detached from the channel");
        }
    }
}
