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
 * @param method the HTTP method, as sent
 * @param path the path without the query, still percent-encoded, because a name may contain an encoded slash
 * @param query the decoded parameters, each with its last value
 * @param headers the headers by lower-case name, each with its last value
 * @param fromLoopback whether it came from this machine's loopback address
 * @param address the remote address, by which failed attempts are counted; empty if it is unknown
 * @param body the body as sent; at most as long as a saved state, the longest valid body
 */
public record ElectorRequest(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        boolean fromLoopback,
        String address,
        SavedState body) {

    public ElectorRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
    }

    /** Splits an HTTP request target. A malformed query is kept as it was sent, because {@code /} never fails. */
    public static ElectorRequest of(
            String method, String target, Map<String, String> headers, boolean fromLoopback, byte[] body) {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? Map.<String, String>of() : parameters(target.substring(mark + 1));
        var lowerCased = new HashMap<String, String>();
        headers.forEach((name, value) -> lowerCased.put(name.toLowerCase(Locale.ROOT), value));
        return new ElectorRequest(method, path, query, lowerCased, fromLoopback, "", SavedState.of(body));
    }

    /** A copy with this remote address. */
    public ElectorRequest from(String newAddress) {
        return new ElectorRequest(method, path, query, headers, fromLoopback, newAddress, body);
    }

    /** A request without a body, from this machine. */
    public static ElectorRequest of(String method, String target, Map<String, String> headers) {
        return of(method, target, headers, true, new byte[0]);
    }

    /** Splits {@code a=b&c=d}; a malformed escape is kept as it was sent. */
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

    /** The segments of the path, decoded after the split; empty if one is malformed. */
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
