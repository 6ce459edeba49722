package dev.doyen.hub.rest;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The decoded query of a request. If a parameter is repeated, its last value applies. Unknown parameters are ignored.
 */
final class Query {

    /** The parameter for the start of the next page. The hub writes it into its links. */
    static final String CURSOR = "cursor";

    private static final String LIMIT = "limit";
    private static final int USUAL_LIMIT = 100;
    /** The parameters that contain secrets. Ably accepts them in a query, but a link must not repeat them. */
    private static final Set<String> SECRETS = Set.of("key", "access_token", "accessToken");

    private static final int MAX_LIMIT = 1_000;
    private static final Pattern SERIAL =
            Pattern.compile("[0-9]{14}-(?:[0-9]{3}|[a-p][0-9]{4,19})@[A-Za-z0-9_-]{1,64}(?::[0-9]{3})?");

    private final Map<String, String> params;

    private Query(Map<String, String> params) {
        this.params = params;
    }

    static Query of(RestRequest request) throws Refusal {
        var params = new LinkedHashMap<String, String>();
        for (String pair : request.query().split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                params.put(
                        Percent.decodeQuery(pair.substring(0, equals)),
                        Percent.decodeQuery(pair.substring(equals + 1)));
            }
        }
        return new Query(params);
    }

    /**
     * Returns this query for a link, with the given cursor and without secrets. If the given cursor is null, the result
     * contains no cursor. The result is never empty, because SDKs require a query in a link.
     */
    String linking(@Nullable String cursor) {
        var changed = new LinkedHashMap<>(params);
        changed.keySet().removeAll(SECRETS);
        changed.putIfAbsent(LIMIT, Integer.toString(USUAL_LIMIT));
        changed.remove(CURSOR);
        if (cursor != null) {
            changed.put(CURSOR, cursor);
        }
        var out = new StringBuilder();
        changed.forEach((name, value) -> out.append(out.length() == 0 ? "" : "&")
                .append(Percent.encode(name))
                .append('=')
                .append(Percent.encode(value)));
        return out.toString();
    }

    /** Returns a parameter, or null if the parameter is missing or empty. */
    @Nullable
    String text(String name) {
        String value = params.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    int limit() throws Refusal {
        long limit = number(LIMIT, USUAL_LIMIT, "[0-9]{1,9}", "a number from 1 to " + MAX_LIMIT);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw bad(LIMIT, Long.toString(limit), "a number from 1 to " + MAX_LIMIT);
        }
        return (int) limit;
    }

    long millis(String name, long usual) throws Refusal {
        return number(name, usual, "[0-9]{1,18}", "milliseconds since the epoch");
    }

    @Nullable
    String serial(String name) throws Refusal {
        String text = text(name);
        if (text != null && !SERIAL.matcher(text).matches()) {
            throw bad(name, text, "a serial that the hub issued");
        }
        return text;
    }

    private long number(String name, long usual, String spelling, String remedy) throws Refusal {
        String text = text(name);
        if (text == null) {
            return usual;
        }
        if (!text.matches(spelling)) {
            throw bad(name, text, remedy);
        }
        return Long.parseLong(text);
    }

    private static Refusal bad(String name, String value, String remedy) {
        return new Refusal(ErrorCode.BAD_PARAMETER, name + " is " + Quote.of(value) + "; give " + remedy);
    }
}
