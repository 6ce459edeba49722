package dev.doyen.injector.driver;

/** The limits for one peer of the webhook. Beyond them a request is rejected or its connection closed. */
final class WebhookLimits {

    /** etcd stores objects of at most 1.5 MiB, and their JSON is longer. */
    static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

    /**
     * An API server keeps a few connections open. With this limit all bodies together stay below 200 MiB, even if all
     * peers are hostile.
     */
    static final int MAX_CONNECTIONS = 64;

    /**
     * The time for the handshake, and for each request.
     *
     * <p>A request lasts from its first byte to its last.
     */
    static final long REQUEST_MILLIS = 10_000;

    /** The time from one answer to the next request. */
    static final long KEEP_ALIVE_MILLIS = 120_000;

    private WebhookLimits() {}
}
