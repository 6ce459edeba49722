package dev.doyen.hub.wire;

/** The type of a {@link PresenceMessage}, in the order of the codes. */
public enum PresenceAction {
    ABSENT(0),
    PRESENT(1),
    ENTER(2),
    LEAVE(3),
    UPDATE(4);

    private static final PresenceAction[] BY_CODE = values();

    private final int code;

    PresenceAction(int code) {
        this.code = code;
    }

    /** Returns the code on the wire. */
    public int code() {
        return code;
    }

    static int count() {
        return BY_CODE.length;
    }

    static PresenceAction of(int code) {
        return BY_CODE[code];
    }
}
