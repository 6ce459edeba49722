package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.presence.Presence;
import dev.doyen.hub.publish.Publishing;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;

/** Dispatches the frames of clients, limits their rate, and answers repeated frames. */
public final class Frames {

    private final HubSettings settings;
    private final Connections connections;
    private final Reauthentication reauthentication;
    private final Attaching attaching;
    private final Publishing publishing;
    private final Presence presence;

    public Frames(
            HubSettings settings,
            Connections connections,
            Reauthentication reauthentication,
            Attaching attaching,
            Publishing publishing,
            Presence presence) {
        this.settings = settings;
        this.connections = connections;
        this.reauthentication = reauthentication;
        this.attaching = attaching;
        this.publishing = publishing;
        this.presence = presence;
    }

    public void receive(StepContext step, Connection connection, ProtocolMessage frame) {
        connection.lastReceivedNanos = step.nanos();
        switch (frame.action()) {
            case MESSAGE, PRESENCE, OBJECT, ANNOTATION -> answered(step, connection, frame);
            default -> control(step, connection, frame);
        }
    }

    private void control(StepContext step, Connection connection, ProtocolMessage frame) {
        if (!connection.controls.take(1, step.nanos())) {
            connections.disconnect(step, connection, tooFast(settings));
            return;
        }
        switch (frame.action()) {
            case HEARTBEAT -> heartbeat(step, connection, frame);
            case ATTACH -> attaching.attach(step, connection, frame);
            case DETACH -> attaching.detach(step, connection, frame);
            case SYNC -> attaching.sync(step, connection, frame);
            case CLOSE -> connections.close(step, connection);
            case DISCONNECT -> connections.disconnect(step, connection, null);
            case AUTH -> reauthentication.receive(step, connection, frame);
            // Old SDKs send these frames after a change of transport. A WebSocket needs neither of them.
            case CONNECT, ACTIVATE -> {}
            default ->
                connections.fail(
                        step, connection, ErrorCode.BAD_REQUEST.because("a client does not send " + frame.action()));
        }
    }

    /**
     * Answers a ping.
     *
     * <p>A ping is a HEARTBEAT frame. The answer has the id of the ping. The pings of some SDKs have no id. SDKs do
     * not answer a HEARTBEAT frame.
     *
     * <p>The hub sends no pong while it revokes a claim of the connection, because the pong could overtake the
     * revocation (rule C7).
     */
    private static void heartbeat(StepContext step, Connection connection, ProtocolMessage frame) {
        if (!connection.leadsInVain()) {
            step.send(
                    connection,
                    ProtocolMessage.builder(Action.HEARTBEAT).id(frame.id()).build());
        }
    }

    /** Handles a frame that requires an ACK or NACK. Some SDKs omit a msgSerial of 0. */
    private void answered(StepContext step, Connection connection, ProtocolMessage frame) {
        long msgSerial = frame.msgSerial() == null ? 0 : frame.msgSerial();
        if (connection.acks.isRepeated(msgSerial)) {
            if (connection.controls.take(1, step.nanos())) {
                connection.acks.repeat(msgSerial).ifPresent(answer -> step.send(connection, answer));
            } else {
                connections.disconnect(step, connection, tooFast(settings));
            }
            return;
        }
        if (connection.acks.held() >= settings.heldAcksPerConnection()) {
            connections.disconnect(step, connection, tooFast(settings));
            return;
        }
        Receipt receipt = connection.acks.open(connection, msgSerial);
        if (!connection.publishes.take(weight(frame), step.nanos())) {
            receipt.nack(step, tooFast(settings));
            return;
        }
        try {
            connection.usage.takeMessages(weight(frame), step.nanos());
        } catch (Refusal refusal) {
            receipt.nack(step, refusal.error());
            return;
        }
        switch (frame.action()) {
            case MESSAGE -> publishing.receive(step, receipt, frame);
            case PRESENCE -> presence.receive(step, receipt, frame);
            default ->
                receipt.nack(step, ErrorCode.BAD_REQUEST.because("this hub has no " + frame.action() + " frames"));
        }
    }

    /** Returns the number of messages that the rate limiter counts for a frame. */
    private static int weight(ProtocolMessage frame) {
        int messages = frame.messages() == null ? 0 : frame.messages().size();
        int members = frame.presence() == null ? 0 : frame.presence().size();
        return Math.max(1, messages + members);
    }

    public static ErrorInfo tooFast(HubSettings settings) {
        return ErrorCode.RATE_LIMITED.because(
                "the connection sends too many messages; at most " + settings.inboundRatePerSecond()
                        + " messages a second, and " + settings.inboundBurst() + " at once, are allowed");
    }
}
