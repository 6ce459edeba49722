package dev.doyen.server.websocket;

/**
 * What one WebSocket may cost.
 *
 * @param maxFrameBytes the longest frame, and the longest message of several frames, that is read
 * @param maxWaitingInputs how many decoded messages may wait for the hub before the socket is no longer read; what was read
 *     with the last of them, 4 KiB at most, may add to them
 * @param maxWaitingBytes the same, in bytes as they came
 * @param slowBytes how much may be queued to a reader before it counts as slow
 * @param maxQueuedBytes how much may be queued to a slow reader before it is dropped at once
 * @param slowMillis in which time a slow reader must read {@code slowBytes}, or it is dropped
 * @param pingMillis how long nothing may pass either way before a ping is sent
 * @param silentMillis how long nothing, not even a pong, may arrive before the peer counts as gone
 * @param closeMillis how long a peer has to read its last frames and close
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

    /** The frame size is the protocol's; a ping comes well within the 15 s that clients are promised. */
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
