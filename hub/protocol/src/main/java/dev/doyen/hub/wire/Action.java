package dev.doyen.hub.wire;

/** The type of a {@link ProtocolMessage}, in the order of the codes. */
public enum Action {
    HEARTBEAT(0),
    ACK(1),
    NACK(2),
    CONNECT(3),
    CONNECTED(4),
    DISCONNECT(5),
    DISCONNECTED(6),
    CLOSE(7),
    CLOSED(8),
    ERROR(9),
    ATTACH(10),
    ATTACHED(11),
    DETACH(12),
    DETACHED(13),
    PRESENCE(14),
    MESSAGE(15),
    SYNC(16),
    AUTH(17),
    ACTIVATE(18),
    OBJECT(19),
    OBJECT_SYNC(20),
    ANNOTATION(21);

    private static final Action[] BY_CODE = values();

    private final int code;

    Action(int code) {
        this.code = code;
    }

    /** Returns the code on the wire. */
    public int code() {
        return code;
    }

    /** Returns the number of codes, which start at 0. SDKs fail on any other code, so the hub never sends one. */
    static int count() {
        return BY_CODE.length;
    }

    /** Returns the action of a code from 0 to {@code count() - 1}. */
    static Action of(int code) {
        return BY_CODE[code];
    }
}
