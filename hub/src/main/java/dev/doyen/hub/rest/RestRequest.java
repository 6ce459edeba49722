package dev.doyen.hub.rest;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as it came: method, target and body, and its header fields by lower-case name, each with its last value.
 *
 * <p>The body is shared, not copied: nobody may change it.
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

    /** Takes an HTTP request's target apart. */
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

    /** The same, come from this address. */
    public RestRequest from(String newAddress) {
        return new RestRequest(method, path, query, headers, body, newAddress);
    }

    public String method() {
        return method;
    }

    /** As sent: still percent-encoded, without the query. */
    public String path() {
        return path;
    }

    /** As sent, without the question mark. */
    public String query() {
        return query;
    }

    /** A header field by its lower-case name; null if it was not sent. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public byte[] body() {
        return body;
    }

    /** Who holds the other end of the socket, as far as requests are counted by it; empty if that is not known. */
    public String address() {
        return address;
    }

    /** Without query and headers: they hold keys and tokens. */
    @Override
    public String toString() {
        return method + " " + path + " with " + body.length + " bytes";
    }
}
