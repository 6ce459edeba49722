package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.KeyChange;
import dev.doyen.hub.auth.Permissions;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Objects;

/** Changes the access of live connections. The causes are AUTH frames with new tokens, and changes of the keys. */
public final class Reauthentication {

    private final Authenticator authenticator;
    private final Channels channels;
    private final Connections connections;
    private final Departures departures;
    private final Syncs syncs;

    public Reauthentication(
            Authenticator authenticator,
            Channels channels,
            Connections connections,
            Departures departures,
            Syncs syncs) {
        this.authenticator = authenticator;
        this.channels = channels;
        this.connections = connections;
        this.departures = departures;
        this.syncs = syncs;
    }

    void receive(StepContext step, Connection connection, ProtocolMessage frame) {
        try {
            Access access = authenticator.ofToken(token(frame), step.wallMillis());
            if (!Objects.equals(access.resolveClientId(connection.clientId), connection.clientId)) {
                throw new Refusal(
                        ErrorCode.INCOMPATIBLE_CREDENTIALS,
                        "the token is bound to client " + Quote.of(String.valueOf(access.clientId()))
                                + ", and the connection is not bound to a client; open a new connection");
            }
            connections.renew(step, connection, access);
            adapt(step, connection, "new token");
        } catch (Refusal refusal) {
            // Do not send the error code of the rejected token. That code would make an SDK request tokens from the
            // same source forever.
            boolean incompatible = refusal.error().code() == ErrorCode.INCOMPATIBLE_CREDENTIALS.code();
            var code = incompatible ? ErrorCode.INCOMPATIBLE_CREDENTIALS : ErrorCode.BAD_CREDENTIALS;
            connections.fail(step, connection, code.because(refusal.error().message()));
        }
    }

    private static String token(ProtocolMessage frame) throws Refusal {
        AuthDetails auth = frame.auth();
        String token = auth == null ? null : auth.accessToken();
        if (token == null) {
            throw new Refusal(ErrorCode.BAD_CREDENTIALS, "the AUTH frame has no auth.accessToken");
        }
        return token;
    }

    /** Ends or disconnects connections whose credentials are no longer valid, and applies changed capabilities. */
    public void keysChanged(StepContext step, KeyChange change) {
        connections.keysChanged(step, change, connection -> adapt(step, connection, "key"));
    }

    /**
     * Adjusts modes, members and claims to the new access at once.
     *
     * @param what the name of the credentials in the texts for the client: {@code new token} or {@code key}
     */
    private void adapt(StepContext step, Connection connection, String what) {
        for (Attachment attachment : List.copyOf(connection.attachments.values())) {
            Channel channel = attachment.channel;
            int former = attachment.modes;
            attachment.modes = attachment.requestedModes & Permissions.modes(connection.access, channel.name);
            if (attachment.modes != former) {
                channel.modesChanged();
                channels.settle(step, channel);
            }
            if ((attachment.modes & ~former & Flags.PRESENCE_SUBSCRIBE) != 0 && !channel.members.isEmpty()) {
                syncs.send(step, attachment);
            }
            if (attachment.modes == 0) {
                departures.remove(step, attachment);
                var error = ErrorCode.NOT_ALLOWED.because(
                        "the " + what + " allows nothing on channel " + Quote.of(channel.name));
                step.send(
                        connection,
                        ProtocolMessage.builder(Action.ERROR)
                                .channel(attachment.spelling)
                                .error(error)
                                .build());
            }
        }
        departures.adapt(step, connection, what);
    }
}
