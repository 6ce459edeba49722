package dev.doyen.elector.http;

/** Limits of one HTTP connection; beyond them the server rejects the request or closes the connection. */
public final class HttpLimits {

    /** In bytes. The request line of a WebSocket contains a key or a token, so it may be long. */
    public static final int MAX_REQUEST_LINE_BYTES = 32 * 1024;

    /** In bytes, for all header fields together. */
    public static final int MAX_HEADER_BYTES = 64 * 1024;

    /** In bytes; the size of the largest saved state. A handler may allow more ({@link HttpHandler#maxBodyBytes}). */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    /** From the opening of the connection to the end of its first request. */
    public static final long REQUEST_DEADLINE_MILLIS = 10_000;

    /** From a response to the end of the next request on the same connection. */
    public static final long KEEP_ALIVE_MILLIS = 30_000;

    private HttpLimits() {}
}
