package dev.doyen.server.http;

/** What one HTTP peer may ask of a server; beyond it, a refusal or a closed socket. */
public final class HttpLimits {

    /** A WebSocket's key or token travels in the request line, so it may be long. Units: bytes. */
    public static final int MAX_REQUEST_LINE_BYTES = 32 * 1024;

    /** All header fields together. */
    public static final int MAX_HEADER_BYTES = 64 * 1024;

    /** As much as a leader may leave for the next one; a site whose resources take more says so. */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    /** From the opening of the socket to the end of its first request. */
    public static final long REQUEST_DEADLINE_MILLIS = 10_000;

    /** From one response to the end of the next request on the same socket. */
    public static final long KEEP_ALIVE_MILLIS = 30_000;

    private HttpLimits() {}
}
