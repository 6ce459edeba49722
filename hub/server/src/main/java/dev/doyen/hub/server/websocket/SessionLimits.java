package dev.doyen.hub.server.websocket;

/**
 * Limits of one WebSocket.
 *
 * @param maxFrameBytes the longest frame, and the longest message of several frames, that is read
 * @param maxWaitingInputs how many decoded messages may wait for the hub before the server stops reading the socket;
 *     the last read may add what it contained, at most 4 KiB
 * @param maxWaitingBytes the same limit, in bytes as received
 * @param slowBytes how many bytes may be queued for a reader before it counts as slow
 * @param maxQueuedBytes how many bytes may be queued for a slow reader before it is dropped at once
 * @param slowMillis the time in which a slow reader must read {@code slowBytes}, or it is dropped
 * @param pingMillis how long the socket may be quiet in either direction before the server sends a ping
 * @param silentMillis how long nothing, not even a pong, may arrive before the peer counts as gone
 * @param closeMillis how long a peer may take to read its last frames and close
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

    /** The protocol defines the frame size. A ping comes well within the 15 s that the hub promises to clients. */
    public static final SessionLimits DEFAULT =
            new SessionLimits(512 * 1024, 64, 1 << 20, 512 * 1024, 8 << 20, 10_000, 10_000, 35_000, 1_000);

    public SessionLimits {
        if (maxQueuedBytes <= slowBytes) {
            throw new IllegalArgumentException("maxQueuedBytes (" + maxQueuedBytes
                    + ") must be greater than slowBytes (" + slowBytes + "); raise maxQueuedBytes");
        }
        if (silentMillis <= 2 * pingMillis) {
            throw new IllegalArgumentException("silentMillis (" + silentMillis
                    + ") must be more than twice pingMillis (" + pingMillis + "), or a lost ping ends a session");
        }
        if (maxFrameBytes < 1 || maxWaitingInputs < 1 || maxWaitingBytes < 1 || slowBytes < 1) {
            throw new IllegalArgumentException("every size and count of a session's limits must be positive");
        }
    }
}
