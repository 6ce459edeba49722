package dev.doyen.elector;

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
 * @param path the path as sent: still percent-encoded, because a name may contain an encoded slash; without the query
 * @param query the parameters, decoded, each with its last value
 * @param headers the headers by lower-case name, each with its last value
 */
public record ElectorRequest(String method, String path, Map<String, String> query, Map<String, String> headers) {

    public ElectorRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
    }

    /** Takes an HTTP request target apart. A query that is malformed is kept as it was sent: {@code /} never fails. */
    public static ElectorRequest of(String method, String target, Map<String, String> headers) {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = new HashMap<String, String>();
        if (mark >= 0) {
            for (var pair : target.substring(mark + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                var name = equals < 0 ? pair : pair.substring(0, equals);
                var value = equals < 0 ? "" : pair.substring(equals + 1);
                query.put(formDecoded(name), formDecoded(value));
            }
        }
        var lowerCased = new HashMap<String, String>();
        headers.forEach((name, value) -> lowerCased.put(name.toLowerCase(Locale.ROOT), value));
        return new ElectorRequest(method, path, query, lowerCased);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    Optional<String> header(String lowerCaseName) {
        return Optional.ofNullable(headers.get(lowerCaseName));
    }

    /** The path's segments, decoded after splitting; empty if one is malformed. */
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
