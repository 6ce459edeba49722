package dev.doyen.hub.wire;

/** The format of a session's frames. The query parameter {@code format} selects it, never the WebSocket opcode. */
public enum Format {
    JSON,
    MSGPACK
}
