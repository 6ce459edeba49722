package dev.doyen.elector.http;

/**
 * The limits of one HTTP connection. If a limit is exceeded, the server rejects the request or closes the connection.
 */
public final class HttpLimits {

    /**
     * The maximum length of a request line in bytes. The request line of a WebSocket contains a key or a token, so it
     * can be long.
     */
    public static final int MAX_REQUEST_LINE_BYTES = 32 * 1024;

    /** The maximum length of all header fields together, in bytes. */
    public static final int MAX_HEADER_BYTES = 64 * 1024;

    /**
     * The maximum length of a request body in bytes. The largest saved state has this size. A handler may allow longer
     * bodies ({@link HttpHandler#maxBodyBytes}).
     */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    /** The maximum time from the start of a connection to its first complete request. */
    public static final long REQUEST_DEADLINE_MILLIS = 10_000;

    /** The maximum time from a response to the end of the next request. */
    public static final long KEEP_ALIVE_MILLIS = 30_000;

    /** The maximum number of open connections of a port that serves only probes. */
    public static final int MAX_PROBE_CONNECTIONS = 100;

    /** The maximum number of open connections of one address, on a port that serves only probes. */
    public static final int PROBE_CONNECTIONS_PER_ADDRESS = 20;

    /** The time after which a rejected client may try again, for the header {@code Retry-After}. */
    static final String RETRY_AFTER_SECONDS = "5";

    private HttpLimits() {}
}
