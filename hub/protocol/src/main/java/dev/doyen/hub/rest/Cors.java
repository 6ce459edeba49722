package dev.doyen.hub.rest;

import dev.doyen.hub.rest.RestAnswer.Header;
import java.util.List;

/**
 * Adds CORS headers that permit pages of any origin, as the official SDKs require.
 *
 * <p>SDKs send requests with credentials, so the answer must name the origin. The headers give a page no additional
 * rights. The hub uses neither cookies nor HTTP password dialogs, so a browser adds no stored credentials. A page may
 * perform the operations that its key or token allows.
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

    /** Returns the answer to the preflight request of a browser. */
    static RestAnswer preflight() {
        return new RestAnswer(
                204,
                List.of(
                        new Header("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, HEAD"),
                        new Header("Access-Control-Allow-Headers", ALLOWED_HEADERS),
                        new Header("Access-Control-Max-Age", MAX_AGE_SECONDS)),
                new byte[0]);
    }

    /**
     * Returns true if the origin is short visible ASCII text. The hub copies the origin into a header of its answer.
     */
    private static boolean isPlain(String origin) {
        return origin.matches("[!-~]{1,2048}");
    }
}
