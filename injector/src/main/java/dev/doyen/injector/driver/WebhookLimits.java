package dev.doyen.injector.driver;

/** What one peer may ask of the webhook; beyond it, a refusal or a closed socket. */
final class WebhookLimits {

    /** etcd keeps objects of 1.5 MiB at most, and JSON is longer than what is kept. */
    static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

    /** An API server keeps a few open. All bodies together stay below 200 MiB, were all peers hostile. */
    static final int MAX_CONNECTIONS = 64;

    /** The handshake, and then each request from its first byte to its last. */
    static final long REQUEST_MILLIS = 10_000;

    /** From one answer to the next request. */
    static final long KEEP_ALIVE_MILLIS = 120_000;

    private WebhookLimits() {}
}
