package dev.doyen.injector.driver;

/** The limits of the webhook. If a limit is exceeded, the server rejects a request or closes a connection. */
final class WebhookLimits {

    /**
     * The maximum length of a request body.
     *
     * <p>etcd stores objects of at most 1.5 MiB. The JSON of such an object is longer.
     */
    static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

    /** The maximum number of connections of all peers. */
    static final int MAX_CONNECTIONS = 64;

    /**
     * The maximum number of connections of one address.
     *
     * <p>An API server opens a connection for each pod that it creates at the same time. By default, a controller
     * creates at most 30 pods at the same time ({@code --kube-api-burst}).
     */
    static final int MAX_CONNECTIONS_OF_PEER = 32;

    /**
     * The maximum time until a new connection has sent its first request, in milliseconds.
     *
     * <p>This time includes the TLS handshake. An API server waits at most 30 s for a webhook (Kubernetes, {@code
     * timeoutSeconds} of a webhook configuration).
     */
    static final long REQUEST_MILLIS = 30_000;

    /**
     * The maximum time from an answer to the end of the next request, in milliseconds.
     *
     * <p>An API server closes a connection that has been idle for 90 s (Go, {@code http.DefaultTransport}). The webhook
     * waits longer than the API server. Otherwise the webhook could close a connection on which the API server sends a
     * request at the same time. The creation of a pod would then fail.
     */
    static final long KEEP_ALIVE_MILLIS = 120_000;

    private WebhookLimits() {}
}
