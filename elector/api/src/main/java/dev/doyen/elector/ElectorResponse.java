package dev.doyen.elector;

import dev.doyen.event.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A complete response.
 *
 * <p>The HTTP handler omits the body for HEAD, and adds {@code Content-Length}.
 *
 * @param status the HTTP status code
 * @param headers the headers in the order in which they are written
 * @param body the text, sent as UTF-8
 */
public record ElectorResponse(int status, Map<String, String> headers, String body) implements ElectorAnswer {

    public ElectorResponse {
        headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    @Override
    public void accept(Cases cases) {
        cases.response(this);
    }

    static ElectorResponse json(int status, String body) {
        return new ElectorResponse(
                status, Map.of("Content-Type", "application/json", "Cache-Control", "no-cache"), body);
    }

    static ElectorResponse text(int status, String body) {
        return new ElectorResponse(
                status, Map.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-cache"), body);
    }

    /** Returns an error response (RFC 9457); {@code detail} states the error and the correct form. */
    public static ElectorResponse problem(int status, String title, String detail) {
        return problem(status, title, detail, Optional.empty());
    }

    /**
     * Returns an error response to an admin command.
     *
     * @param leader the leader that the response reports; empty if the response does not report a leader
     */
    public static ElectorResponse problem(int status, String title, String detail, Optional<Leader> leader) {
        return new ElectorResponse(
                status,
                Map.of("Content-Type", "application/problem+json", "Cache-Control", "no-cache"),
                ElectionJson.problem(status, title, detail, leader));
    }

    /**
     * Returns the response to an admin command that was carried out or accepted.
     *
     * @param sentence the outcome as a sentence for people
     * @param leader the leader that the response reports; empty if the response does not report a leader
     */
    public static ElectorResponse done(int status, String sentence, Optional<Leader> leader) {
        return json(status, ElectionJson.done(sentence, leader));
    }

    ElectorResponse with(String header, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new ElectorResponse(status, more, body);
    }
}
