package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.WaitingClaim;
import dev.doyen.hub.claim.Claims;
import dev.doyen.hub.step.StepContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Removes the members, claims and attachments of connections that detach or end (rule C6). */
public final class Departures {

    private final Channels channels;
    private final Log log;
    private final Claims claims;

    public Departures(Channels channels, Log log, Claims claims) {
        this.channels = channels;
        this.log = log;
        this.claims = claims;
    }

    /** Removes the connection's members from all channels and withdraws its waiting claims. */
    public void leaveAll(StepContext step, Connection connection, String why) {
        Set<Channel> touched = connection.channels();
        connection.waitingClaims.forEach(waiting -> touched.add(waiting.channel()));
        for (Channel channel : touched) {
            leave(step, connection, channel, why);
        }
    }

    /** Ends the claims of a connection that this node no longer has. The members of the connection stay. */
    void goElsewhere(StepContext step, Connection connection) {
        for (WaitingClaim waiting : List.copyOf(connection.waitingClaims)) {
            claims.withdraw(
                    step, waiting.channel(), connection, waiting.clientId, "its connection moved to another node");
            channels.settle(step, waiting.channel());
        }
        connection.channels().forEach(channel -> claims.abandon(step, channel, connection));
    }

    /** Removes the connection's members and waiting claims from one channel. */
    void leave(StepContext step, Connection connection, Channel channel, String why) {
        for (WaitingClaim waiting : List.copyOf(connection.waitingClaims)) {
            if (waiting.channel() == channel) {
                claims.withdraw(step, channel, connection, waiting.clientId, why);
            }
        }
        if (connection.channels().contains(channel)) {
            log.append(step, new Change.Left(channel, connection), Log.IGNORED);
        }
        channels.settle(step, channel);
    }

    /** Ends all attachments of a connection. The members of the connection stay. */
    void detachAll(StepContext step, Connection connection) {
        Map<String, Attachment> ending = new LinkedHashMap<>(connection.attachments);
        connection.attachments.clear();
        for (Attachment attachment : ending.values()) {
            attachment.channel.remove(attachment);
            channels.settle(step, attachment.channel);
        }
    }

    /**
     * Ends one attachment after DETACH or an error. The connection's members leave the channel if the connection has no
     * other attachment to it.
     */
    void detach(StepContext step, Attachment attachment) {
        Connection connection = attachment.connection;
        connection.attachments.remove(attachment.spelling);
        attachment.channel.remove(attachment);
        boolean stillAttached = false;
        for (Attachment other : connection.attachments.values()) {
            stillAttached |= other.channel == attachment.channel;
        }
        if (!stillAttached) {
            leave(step, connection, attachment.channel, "its connection detached from the channel");
        }
    }
}
