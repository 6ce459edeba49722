package dev.doyen.elector;

import dev.doyen.event.SavedState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request for the elector API.
 *
 * @param method the HTTP method, as the client sent it
 * @param path the path without the query, still percent-encoded, because a name can contain an encoded slash
 * @param query the decoded parameters, each with its last value
 * @param headers the headers by lower-case name, each with its last value
 * @param fromThisMachine true if the request came from this machine, under a loopback name and without a proxy
 * @param address the remote address, by which failed attempts are counted; empty if it is unknown
 * @param hasAdminCertificate true if a client certificate authenticates the sender as the admin
 * @param body the body, as the client sent it. The body is at most as long as a saved state, which is the longest valid
 *     body
 */
public record ElectorRequest(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        boolean fromThisMachine,
        String address,
        boolean hasAdminCertificate,
        SavedState body) {

    public ElectorRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
    }

    /**
     * Splits an HTTP request target. A malformed query is not decoded, because a request for {@code /} must never fail.
     */
    public static ElectorRequest of(
            String method, String target, Map<String, String> headers, boolean fromThisMachine, byte[] body) {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? Map.<String, String>of() : parameters(target.substring(mark + 1));
        var lowerCased = new HashMap<String, String>();
        headers.forEach((name, value) -> lowerCased.put(name.toLowerCase(Locale.ROOT), value));
        return new ElectorRequest(method, path, query, lowerCased, fromThisMachine, "", false, SavedState.of(body));
    }

    /** Returns a copy with this remote address. */
    public ElectorRequest from(String newAddress) {
        return new ElectorRequest(method, path, query, headers, fromThisMachine, newAddress, hasAdminCertificate, body);
    }

    /** Returns a copy that states whether a client certificate authenticates the sender as the admin. */
    public ElectorRequest withAdminCertificate(boolean present) {
        return new ElectorRequest(method, path, query, headers, fromThisMachine, address, present, body);
    }

    /** Returns a request without a body, from this machine. */
    public static ElectorRequest of(String method, String target, Map<String, String> headers) {
        return of(method, target, headers, true, new byte[0]);
    }

    /** Splits {@code a=b&c=d} into parameters. A text with a malformed escape is not decoded. */
    static Map<String, String> parameters(String text) {
        var parameters = new HashMap<String, String>();
        for (var pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            var name = equals < 0 ? pair : pair.substring(0, equals);
            var value = equals < 0 ? "" : pair.substring(equals + 1);
            parameters.put(formDecoded(name), formDecoded(value));
        }
        return parameters;
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    Optional<String> header(String lowerCaseName) {
        return Optional.ofNullable(headers.get(lowerCaseName));
    }

    /** Returns the decoded segments of the path; empty if a segment is malformed. */
    Optional<List<String>> segments() {
        var segments = new ArrayList<String>();
        for (var part : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
            var decoded = PercentDecoding.decode(part);
            if (decoded.isEmpty()) {
                return Optional.empty();
            }
            segments.add(decoded.get());
        }
        return Optional.of(segments);
    }

    private static String formDecoded(String text) {
        return PercentDecoding.decode(text.replace('+', ' ')).orElse(text);
    }
}
