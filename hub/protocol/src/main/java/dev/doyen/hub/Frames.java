package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;

/** Dispatches the frames of clients. Limits their rate and answers repeated frames. */
final class Frames {

    private final HubSettings settings;
    private final Connections connections;
    private final Reauthentication reauthentication;
    private final Attaching attaching;
    private final Publishing publishing;
    private final Presence presence;

    Frames(
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

    void receive(Turn turn, Connection connection, ProtocolMessage frame) {
        connection.lastReceivedNanos = turn.nanos();
        switch (frame.action()) {
            case MESSAGE, PRESENCE, OBJECT, ANNOTATION -> answered(turn, connection, frame);
            default -> control(turn, connection, frame);
        }
    }

    private void control(Turn turn, Connection connection, ProtocolMessage frame) {
        if (!connection.controls.take(1, turn.nanos())) {
            connections.disconnect(turn, connection, tooFast(settings));
            return;
        }
        switch (frame.action()) {
            case HEARTBEAT -> heartbeat(turn, connection, frame);
            case ATTACH -> attaching.attach(turn, connection, frame);
            case DETACH -> attaching.detach(turn, connection, frame);
            case SYNC -> attaching.sync(turn, connection, frame);
            case CLOSE -> connections.close(turn, connection);
            case DISCONNECT -> connections.disconnect(turn, connection, null);
            case AUTH -> reauthentication.receive(turn, connection, frame);
            // Old SDKs send these after a change of transport. A WebSocket needs neither.
            case CONNECT, ACTIVATE -> {}
            default ->
                connections.fail(
                        turn, connection, ErrorCode.BAD_REQUEST.because("a client does not send " + frame.action()));
        }
    }

    /**
     * Answers a ping.
     *
     * <p>Only a ping has an id, and the hub answers nothing else. Otherwise two sides could answer each other forever.
     * The hub does not answer while it revokes a claim of the connection, because the pong could overtake the
     * revocation (rule C7).
     */
    private static void heartbeat(Turn turn, Connection connection, ProtocolMessage frame) {
        if (frame.id() != null && !connection.leadsInVain()) {
            turn.send(
                    connection,
                    ProtocolMessage.builder(Action.HEARTBEAT).id(frame.id()).build());
        }
    }

    /** Handles a frame that requires an ACK or NACK. Some SDKs leave out a msgSerial of 0. */
    private void answered(Turn turn, Connection connection, ProtocolMessage frame) {
        long msgSerial = frame.msgSerial() == null ? 0 : frame.msgSerial();
        if (connection.acks.isRepeated(msgSerial)) {
            if (connection.controls.take(1, turn.nanos())) {
                connection.acks.repeat(msgSerial).ifPresent(answer -> turn.send(connection, answer));
            } else {
                connections.disconnect(turn, connection, tooFast(settings));
            }
            return;
        }
        if (connection.acks.held() >= settings.heldAcksPerConnection()) {
            connections.disconnect(turn, connection, tooFast(settings));
            return;
        }
        Receipt receipt = connection.acks.open(connection, msgSerial);
        if (!connection.publishes.take(weight(frame), turn.nanos())) {
            receipt.nack(turn, tooFast(settings));
            return;
        }
        switch (frame.action()) {
            case MESSAGE -> publishing.receive(turn, receipt, frame);
            case PRESENCE -> presence.receive(turn, receipt, frame);
            default ->
                receipt.nack(turn, ErrorCode.BAD_REQUEST.because("this hub has no " + frame.action() + " frames"));
        }
    }

    /** Returns the number of messages, because a frame may contain many. */
    private static int weight(ProtocolMessage frame) {
        int messages = frame.messages() == null ? 0 : frame.messages().size();
        int members = frame.presence() == null ? 0 : frame.presence().size();
        return Math.max(1, messages + members);
    }

    static ErrorInfo tooFast(HubSettings settings) {
        return ErrorCode.RATE_LIMITED.because(
                "the connection sends too fast; at most " + settings.inboundRatePerSecond() + " messages a second, and "
                        + settings.inboundBurst() + " at once, are taken");
    }
}
