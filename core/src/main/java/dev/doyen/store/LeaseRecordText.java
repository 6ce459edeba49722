package dev.doyen.store;

import dev.doyen.event.HandOverState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A lease record as text: a line with the schema, then {@code name: value} lines. For stores that keep bytes, and for
 * the person who looks at them with {@code cat}. Readers skip names they do not know, so that fields can be added.
 * Spec: docs/spec/lease-record.md.
 */
public final class LeaseRecordText {

    private static final String SCHEMA = "doyen-lease 1";

    private LeaseRecordText() {}

    public static String write(LeaseRecord record) {
        var lines = new StringBuilder(256).append(SCHEMA).append('\n');
        line(lines, "election", record.election());
        line(lines, "holder", record.holder());
        line(lines, "incarnation", record.incarnation());
        line(lines, "term", Long.toString(record.term()));
        line(lines, "nonce", record.nonce());
        line(lines, "ttl-millis", Long.toString(record.ttl().toMillis()));
        line(lines, "acquired-at", record.acquiredAt().toString());
        line(lines, "renewed-at", record.renewedAt().toString());
        line(lines, "state-version", Long.toString(record.stateVersion()));
        line(lines, "state", Base64.getEncoder().encodeToString(record.state().bytes()));
        return lines.toString();
    }

    /** Throws {@link IllegalArgumentException} that says what is wrong with the text. */
    public static LeaseRecord read(String text) {
        String[] lines = text.split("\n", -1);
        if (!lines[0].equals(SCHEMA)) {
            throw new IllegalArgumentException("the first line is not \"" + SCHEMA + "\"");
        }
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("the last line is cut off");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 1; i < lines.length - 1; i++) {
            int colon = lines[i].indexOf(": ");
            if (colon < 1) {
                throw new IllegalArgumentException("line " + (i + 1) + " is not \"name: value\"");
            }
            fields.put(lines[i].substring(0, colon), lines[i].substring(colon + 2));
        }
        try {
            return new LeaseRecord(
                    field(fields, "election"),
                    field(fields, "holder"),
                    field(fields, "incarnation"),
                    Long.parseLong(field(fields, "term")),
                    field(fields, "nonce"),
                    Duration.ofMillis(Long.parseLong(field(fields, "ttl-millis"))),
                    Instant.parse(field(fields, "acquired-at")),
                    Instant.parse(field(fields, "renewed-at")),
                    HandOverState.of(Base64.getDecoder().decode(field(fields, "state"))),
                    Long.parseLong(field(fields, "state-version")));
        } catch (NumberFormatException | DateTimeException e) {
            throw new IllegalArgumentException("a number or a time cannot be read: " + e.getMessage(), e);
        }
    }

    private static void line(StringBuilder lines, String name, String value) {
        lines.append(name).append(": ").append(value).append('\n');
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the line \"" + name + ": ...\" is missing");
        }
        return value;
    }
}
