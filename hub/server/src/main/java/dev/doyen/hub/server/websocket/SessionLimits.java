package dev.doyen.hub.server.websocket;

/**
 * The limits of one WebSocket.
 *
 * @param maxFrameBytes the maximum size of a frame, and of a message of several frames, that the server reads
 * @param maxWaitingInputs the number of decoded messages at which the server stops reading the socket. These messages
 *     wait for the hub. The last read can add up to 4 KiB of further messages
 * @param maxWaitingBytes the number of received bytes that may wait for the hub before the server stops reading the
 *     socket
 * @param slowBytes the number of bytes that may be queued for a reader before the reader counts as slow
 * @param maxQueuedBytes the number of bytes that may be queued for a slow reader before the server drops the reader at
 *     once
 * @param slowMillis the time in which a slow reader must read {@code slowBytes}; otherwise the server drops the reader
 * @param pingMillis the maximum time without received frames, or without sent frames, before the server sends a ping
 * @param silentMillis the time without any frame, including pongs, after which the peer counts as gone
 * @param closeMillis the time that a peer may take to read its last frames and to close
 */
public record SessionLimits(
        int maxFrameBytes,
        int maxWaitingInputs,
        int maxWaitingBytes,
        int slowBytes,
        int maxQueuedBytes,
        long slowMillis,
        long pingMillis,
        long silentMillis,
        long closeMillis) {

    /**
     * The default limits. The protocol defines the frame size. The server sends pings well within the 15 s that the hub
     * promises to clients.
     */
    public static final SessionLimits DEFAULT =
            new SessionLimits(512 * 1024, 64, 1 << 20, 512 * 1024, 8 << 20, 10_000, 10_000, 35_000, 1_000);

    public SessionLimits {
        if (maxQueuedBytes <= slowBytes) {
            throw new IllegalArgumentException("maxQueuedBytes (" + maxQueuedBytes
                    + ") must be greater than slowBytes (" + slowBytes + "); raise maxQueuedBytes");
        }
        if (silentMillis <= 2 * pingMillis) {
            throw new IllegalArgumentException(
                    "silentMillis (" + silentMillis + ") must be more than twice pingMillis (" + pingMillis
                            + "), because otherwise one lost ping ends a session");
        }
        if (maxFrameBytes < 1 || maxWaitingInputs < 1 || maxWaitingBytes < 1 || slowBytes < 1) {
            throw new IllegalArgumentException("every size and count of a session's limits must be positive");
        }
    }
}
