package dev.doyen.client.state;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The leader in an elector's answer.
 *
 * @param leader the leader's id; empty if there is no leader
 * @param term the fencing token; empty if the elector sends no term. The NAIS elector, for example, sends no term
 */
public record Answer(Optional<String> leader, OptionalLong term) {

    /**
     * Parses the body of a response, or the data of an event.
     *
     * <p>The leader is the field {@code name}, or {@code leader.id} on {@code /v1}.
     *
     * @param header the value of {@code X-Fencing-Token}, which is used if the body has no term
     * @return the answer; empty for an object without a leader's field, which the NAIS elector sends before it has
     *     found a leader
     * @throws IllegalArgumentException if the body is not an object of one of these forms
     */
    public static Optional<Answer> read(String body, Optional<String> header) {
        Map<String, FlatJson.Value> fields = FlatJson.read(body);
        if (fields.containsKey("leader.id")) {
            return Optional.of(named(
                    text(fields, "leader.id"), fields.containsKey("leader.term") ? term(fields) : number(header)));
        }
        if (fields.containsKey("leader")) {
            if (!fields.get("leader").isNull()) {
                throw new IllegalArgumentException("leader must be null or an object with id and term");
            }
            return Optional.of(new Answer(Optional.empty(), OptionalLong.empty()));
        }
        return fields.containsKey("name") ? Optional.of(named(text(fields, "name"), number(header))) : Optional.empty();
    }

    private static Answer named(String id, OptionalLong term) {
        return id.isEmpty() ? new Answer(Optional.empty(), OptionalLong.empty()) : new Answer(Optional.of(id), term);
    }

    private static String text(Map<String, FlatJson.Value> fields, String field) {
        FlatJson.Value value = fields.get(field);
        if (value == null || value.kind() != FlatJson.Kind.TEXT) {
            throw new IllegalArgumentException(field + " must be a text");
        }
        return value.text();
    }

    private static OptionalLong term(Map<String, FlatJson.Value> fields) {
        FlatJson.Value value = fields.get("leader.term");
        return value == null ? OptionalLong.empty() : number(Optional.of(value.text()));
    }

    private static OptionalLong number(Optional<String> text) {
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (text.get().matches("[0-9]{1,19}")) {
            try {
                return OptionalLong.of(Long.parseLong(text.get()));
            } catch (NumberFormatException e) {
                // The number is greater than the maximum. The exception below reports it.
            }
        }
        throw new IllegalArgumentException("the term must be a whole number from 0 to " + Long.MAX_VALUE);
    }
}
