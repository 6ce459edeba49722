package dev.doyen.hub.wire;

/** The bits of {@link ProtocolMessage#flags()}. */
public final class Flags {

    public static final int HAS_PRESENCE = 1;
    public static final int HAS_BACKLOG = 1 << 1;
    public static final int RESUMED = 1 << 2;
    /** The flag that older SDKs set when they attach again after a reconnect. */
    public static final int ATTACH_RESUME = 1 << 5;

    public static final int PRESENCE = 1 << 16;
    public static final int PUBLISH = 1 << 17;
    public static final int SUBSCRIBE = 1 << 18;
    public static final int PRESENCE_SUBSCRIBE = 1 << 19;
    public static final int ANNOTATION_PUBLISH = 1 << 21;
    public static final int ANNOTATION_SUBSCRIBE = 1 << 22;
    public static final int OBJECT_SUBSCRIBE = 1 << 24;
    public static final int OBJECT_PUBLISH = 1 << 25;

    /** The modes that a hub supports. A hub supports neither annotations nor objects. */
    public static final int SUPPORTED_MODES = PRESENCE | PUBLISH | SUBSCRIBE | PRESENCE_SUBSCRIBE;

    /**
     * The modes of an attachment that requests no modes.
     *
     * <p>In the protocol, the default modes include ANNOTATION_PUBLISH, and SDKs check for exactly these modes. The hub
     * rejects annotations nevertheless.
     */
    public static final int DEFAULT_MODES = SUPPORTED_MODES | ANNOTATION_PUBLISH;

    /** All bits that request a mode, whether the hub supports the mode or not. */
    public static final int ALL_MODES =
            SUPPORTED_MODES | ANNOTATION_PUBLISH | ANNOTATION_SUBSCRIBE | OBJECT_SUBSCRIBE | OBJECT_PUBLISH;

    private Flags() {}
}
