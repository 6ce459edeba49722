package dev.doyen.elector;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The fields of an admin command. A client sends the fields in the query or in the body.
 *
 * <p>The body is a form or a flat JSON object. A field of the body replaces the query parameter of the same name.
 *
 * <p>Errors: for an invalid field, a method throws {@link IllegalArgumentException}, whose message is a complete
 * sentence.
 */
final class AdminCommandFields {

    static final int MAX_REASON_LENGTH = 255;
    static final Duration MAX_COOLDOWN = Duration.ofHours(1);
    static final Duration MIN_CAMPAIGN = Duration.ofSeconds(1);
    static final Duration MAX_CAMPAIGN = Duration.ofHours(1);
    static final Duration DEFAULT_CAMPAIGN = Duration.ofSeconds(30);

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,7})(ms|s|m)");

    private final Map<String, String> fields;

    private AdminCommandFields(Map<String, String> fields) {
        this.fields = fields;
    }

    static AdminCommandFields of(ElectorRequest request) {
        var fields = new HashMap<>(request.query());
        var type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
        if (!request.body().isEmpty() && type.startsWith("application/json")) {
            addJson(request.body().bytes(), fields);
        } else if (!request.body().isEmpty() && type.startsWith("application/x-www-form-urlencoded")) {
            fields.putAll(ElectorRequest.parameters(request.body().text().strip()));
        } else if (!request.body().isEmpty()) {
            throw new IllegalArgumentException("the body's Content-Type (" + Elector.shortened(type)
                    + ") is not supported; send application/json, a form, or query parameters");
        }
        return new AdminCommandFields(fields);
    }

    String reason() {
        var reason = fields.getOrDefault("reason", "");
        if (reason.length() > MAX_REASON_LENGTH) {
            throw new IllegalArgumentException("reason has " + reason.length() + " characters; at most "
                    + MAX_REASON_LENGTH + " are allowed: shorten it");
        }
        return reason;
    }

    String required(String name) {
        var value = fields.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the field " + name
                    + " is missing; send it as a query parameter, such as ?" + name + "=pod-a, or in the body");
        }
        return value;
    }

    Optional<Duration> cooldown() {
        return duration("cooldown", Duration.ZERO, MAX_COOLDOWN);
    }

    Optional<Duration> waitFor() {
        return duration("wait", Duration.ZERO, AdminCommand.MAX_WAIT);
    }

    Duration campaignFor() {
        return duration("ttl", MIN_CAMPAIGN, MAX_CAMPAIGN).orElse(DEFAULT_CAMPAIGN);
    }

    private Optional<Duration> duration(String name, Duration least, Duration most) {
        var text = fields.get(name);
        if (text == null) {
            return Optional.empty();
        }
        var matcher = DURATION.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            var duration = switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
            if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                return Optional.of(duration);
            }
        }
        throw new IllegalArgumentException(name + " (" + Elector.shortened(text) + ") must be a time from "
                + least.toSeconds() + "s to " + most.toMinutes() + "m, like 30s");
    }

    private static void addJson(byte[] body, Map<String, String> fields) {
        try (var json = FACTORY.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(
                        "the body is not a JSON object; send one like {\"reason\":\"upgrade\"}");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                var name = json.currentName();
                if (json.nextToken() != JsonToken.VALUE_STRING) {
                    throw new IllegalArgumentException("the field \"" + Elector.shortened(name)
                            + "\" is not a string; write every value in quotes, like {\"cooldown\":\"30s\"}");
                }
                fields.put(name, json.getText());
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new IllegalArgumentException("the body has text after its JSON object; send only one object");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the body is not well-formed JSON; send an object with string fields", e);
        }
    }
}
