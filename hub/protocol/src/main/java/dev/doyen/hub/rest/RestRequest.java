package dev.doyen.hub.rest;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request: method, target, header fields and body.
 *
 * <p>Header fields have lower-case names and their last value. The body is shared and must not be modified.
 */
public final class RestRequest {

    private final String method;
    private final String path;
    private final String query;
    private final Map<String, String> headers;
    private final byte[] body;
    private final String address;

    private RestRequest(
            String method, String path, String query, Map<String, String> headers, byte[] body, String address) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.headers = headers;
        this.body = body;
        this.address = address;
    }

    /** Creates a request and splits its target. */
    public static RestRequest of(String method, String target, Map<String, String> headers, byte[] body) {
        int mark = target.indexOf('?');
        var lowerCased = new HashMap<String, String>();
        headers.forEach((name, value) -> lowerCased.put(name.toLowerCase(Locale.ROOT), value));
        return new RestRequest(
                method,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                Map.copyOf(lowerCased),
                body,
                "");
    }

    /** Returns this request with the client's address. */
    public RestRequest from(String newAddress) {
        return new RestRequest(method, path, query, headers, body, newAddress);
    }

    public String method() {
        return method;
    }

    /** The path as sent: percent-encoded, without the query. */
    public String path() {
        return path;
    }

    /** The query as sent, without the question mark. */
    public String query() {
        return query;
    }

    /** Returns a header field by its lower-case name; null if absent. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public byte[] body() {
        return body;
    }

    /** The client's address for rate limiting; empty if unknown. */
    public String address() {
        return address;
    }

    /** Omits query and headers, because they contain keys and tokens. */
    @Override
    public String toString() {
        return method + " " + path + " with " + body.length + " bytes";
    }
}
