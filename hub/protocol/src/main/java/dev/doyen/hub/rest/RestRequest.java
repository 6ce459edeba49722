package dev.doyen.hub.rest;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request: method, target, header fields and body.
 *
 * <p>The names of header fields are in lower case. If a field is repeated, its last value applies. Callers share the
 * body and must not modify it.
 */
public final class RestRequest {

    private final String method;
    private final String path;
    private final String query;
    private final Map<String, String> headers;
    private final byte[] body;
    private final String address;
    private final boolean overTls;

    private RestRequest(RestRequest request, String address, boolean overTls) {
        this.method = request.method;
        this.path = request.path;
        this.query = request.query;
        this.headers = request.headers;
        this.body = request.body;
        this.address = address;
        this.overTls = overTls;
    }

    private RestRequest(String method, String path, String query, Map<String, String> headers, byte[] body) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.headers = headers;
        this.body = body;
        this.address = "";
        this.overTls = false;
    }

    /** Creates a request and splits its target into path and query. */
    public static RestRequest of(String method, String target, Map<String, String> headers, byte[] body) {
        int mark = target.indexOf('?');
        var lowerCased = new HashMap<String, String>();
        headers.forEach((name, value) -> lowerCased.put(name.toLowerCase(Locale.ROOT), value));
        return new RestRequest(
                method,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                Map.copyOf(lowerCased),
                body);
    }

    /** Returns this request with the client's address. */
    public RestRequest from(String newAddress) {
        return new RestRequest(this, newAddress, overTls);
    }

    /** Returns this request for a connection with TLS. */
    public RestRequest overTls() {
        return new RestRequest(this, address, true);
    }

    public String method() {
        return method;
    }

    /** Returns the percent-encoded path as the client sent it, without the query. */
    public String path() {
        return path;
    }

    /** Returns the query as the client sent it, without the question mark. */
    public String query() {
        return query;
    }

    /** Returns a header field by its lower-case name, or null if the field is absent. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public byte[] body() {
        return body;
    }

    /** Returns the client's address for rate limiting. The result is empty if the address is unknown. */
    public String address() {
        return address;
    }

    /** Returns true if the connection of the request uses TLS. */
    public boolean isOverTls() {
        return overTls;
    }

    /** Returns a text without query and headers, because they contain keys and tokens. */
    @Override
    public String toString() {
        return method + " " + path + " with " + body.length + " bytes";
    }
}
