package dev.doyen.hub.wire;

/** How frames of one session are written, by the {@code format} query parameter alone (never by the frame's opcode). */
public enum Format {
    JSON,
    MSGPACK
}
