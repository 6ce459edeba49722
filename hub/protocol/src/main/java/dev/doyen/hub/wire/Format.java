package dev.doyen.hub.wire;

/**
 * The format of a session's frames. The query parameter {@code format} selects the format. The WebSocket opcode has no
 * effect on the format.
 */
public enum Format {
    JSON,
    MSGPACK
}
