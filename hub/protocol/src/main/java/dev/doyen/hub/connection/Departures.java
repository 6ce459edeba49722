package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.WaitingClaim;
import dev.doyen.hub.claim.Claims;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes the members, claims and attachments of connections that detach, end or lose rights.
 *
 * <p>If the client asks for the departure, the hub releases the leases of the claims at once (rule C6). Otherwise the
 * holder can still lead, so the hub releases the leases according to rule C19.
 */
public final class Departures {

    private static final String DETACHED = "its connection detached from the channel";

    private final Channels channels;
    private final Log log;
    private final Claims claims;

    public Departures(Channels channels, Log log, Claims claims) {
        this.channels = channels;
        this.log = log;
        this.claims = claims;
    }

    /**
     * Removes the connection's members from all channels, and releases the leases of its claims at once. The method
     * also withdraws the waiting claims of the connection.
     */
    public void leaveAll(StepContext step, Connection connection, String why) {
        channelsOf(connection).forEach(channel -> leave(step, connection, channel, why));
    }

    /**
     * Removes the connection's members from all channels although the client has not asked for it. The method also
     * withdraws the waiting claims of the connection.
     */
    void removeAll(StepContext step, Connection connection, String why) {
        channelsOf(connection).forEach(channel -> remove(step, connection, channel, why));
    }

    /**
     * Ends the presence and the claims that a resumed connection's access does not allow. The client can resume with
     * another key or token.
     */
    void adapt(StepContext step, Connection connection) {
        adapt(step, connection, "new key or token");
    }

    /**
     * Ends the presence and the claims that the connection's access does not allow.
     *
     * @param what the name of the credentials in the texts for the client, for example {@code new token}
     */
    void adapt(StepContext step, Connection connection, String what) {
        for (Channel channel : channelsOf(connection)) {
            if (!connection.access.allows(channel.name, Operation.PRESENCE)) {
                String why = "its " + what + " does not allow presence";
                // A holder without an attachment receives the end of its claim, but not its own leave.
                claims.stepDown(step, channel, connection, why);
                leave(step, connection, channel, why);
            } else if (!connection.access.allows(channel.name, Operation.LEAD)) {
                claims.stepDown(step, channel, connection, "its " + what + " does not allow it to lead");
            }
        }
    }

    /** Returns the channels on which the connection has members or waiting claims. */
    private static Set<Channel> channelsOf(Connection connection) {
        Set<Channel> touched = connection.channels();
        connection.waitingClaims.forEach(waiting -> touched.add(waiting.channel()));
        return touched;
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

    /**
     * Removes the connection's members and waiting claims from one channel.
     *
     * <p>The claims end when this node reads the departure from the log. If the log rejects the departure, this node
     * never reads it. In this case the claims end at once, because this node has perhaps already removed the
     * connection.
     */
    private void leave(StepContext step, Connection connection, Channel channel, String why) {
        claims.withdrawAll(step, channel, connection, why);
        if (connection.channels().contains(channel)) {
            log.append(step, new Change.Left(channel, connection), new Log.Outcome() {
                @Override
                public void done(StepContext later, List<Message> published) {}

                @Override
                public void refused(StepContext later, ErrorInfo error) {
                    claims.abandon(later, channel, connection);
                }
            });
        }
        channels.settle(step, channel);
    }

    /** Removes the members and waiting claims from one channel although the client has not asked for it. */
    private void remove(StepContext step, Connection connection, Channel channel, String why) {
        // After the removal of a holder that still has its claim, the hub would release the lease at once.
        claims.abandon(step, channel, connection);
        leave(step, connection, channel, why);
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
     * Ends one attachment after the client's DETACH. The connection's members leave the channel if the connection has
     * no other attachment to it.
     */
    void detach(StepContext step, Attachment attachment) {
        if (endLast(attachment)) {
            leave(step, attachment.connection, attachment.channel, DETACHED);
        }
    }

    /**
     * Ends one attachment although the client has not asked for it. The connection's members leave the channel if the
     * connection has no other attachment to it.
     */
    void remove(StepContext step, Attachment attachment) {
        if (endLast(attachment)) {
            remove(step, attachment.connection, attachment.channel, DETACHED);
        }
    }

    /** Ends one attachment, and returns true if the connection has no other attachment to the channel. */
    private static boolean endLast(Attachment attachment) {
        Connection connection = attachment.connection;
        connection.attachments.remove(attachment.spelling);
        attachment.channel.remove(attachment);
        return connection.attachments.values().stream().noneMatch(other -> other.channel == attachment.channel);
    }
}
