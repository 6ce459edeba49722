package dev.doyen.hub.rest;

import dev.doyen.hub.rest.RestAnswer.Header;
import java.util.List;

/**
 * Lets pages of any origin ask, as the official SDKs do: with credentials, so that the origin must be named back.
 *
 * <p>That gives no page more than it has: a browser adds no credentials of its own to these requests, since the hub sets
 * no cookie and asks for no password. What a page may do is what its key or token allows.
 */
final class Cors {

    private static final String ALLOWED_HEADERS = "authorization, content-type, accept, x-ably-version, ably-agent,"
            + " x-ably-clientid, x-ably-lib, x-ably-env";
    private static final String EXPOSED_HEADERS =
            "Link, WWW-Authenticate, X-Ably-ErrorCode, X-Ably-ErrorMessage, Retry-After";
    private static final String MAX_AGE_SECONDS = "600";

    private Cors() {}

    static RestAnswer allow(RestRequest request, RestAnswer answer) {
        String origin = request.header("origin");
        return origin == null || !isPlain(origin)
                ? answer
                : answer.with(List.of(
                        new Header("Access-Control-Allow-Origin", origin),
                        new Header("Access-Control-Allow-Credentials", "true"),
                        new Header("Access-Control-Expose-Headers", EXPOSED_HEADERS),
                        new Header("Vary", "Origin")));
    }

    /** What a browser asks before it sends a request with headers of its own. */
    static RestAnswer preflight() {
        return new RestAnswer(
                204,
                List.of(
                        new Header("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, HEAD"),
                        new Header("Access-Control-Allow-Headers", ALLOWED_HEADERS),
                        new Header("Access-Control-Max-Age", MAX_AGE_SECONDS)),
                new byte[0]);
    }

    /** It is written into a header. */
    private static boolean isPlain(String origin) {
        return origin.matches("[!-~]{1,2048}");
    }
}
