package dev.doyen.store;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Formats a lease record as text, and parses the text.
 *
 * <p>The first line is the schema; {@code name: value} lines follow. All stores of Doyen except {@code memory:}
 * use this form. Readers skip unknown names, so later versions can add fields. Spec: docs/spec/lease-record.md.
 */
public final class LeaseRecordText {

    private static final String SCHEMA = "doyen-lease 1";

    /**
     * The greatest counter value in a record. JavaScript represents integers exactly only up to 2^53 - 1. The limit is
     * one lower, because the next leader adds one to the stored value.
     */
    private static final long MAX_COUNT = (1L << 53) - 2;

    private LeaseRecordText() {}

    public static String write(LeaseRecord record) {
        var lines = new StringBuilder(256).append(SCHEMA).append('\n');
        line(lines, "election", record.election());
        line(lines, "holder", record.holder());
        line(lines, "incarnation", record.incarnation());
        line(lines, "term", Long.toString(record.term()));
        line(lines, "nonce", record.nonce());
        record.holdersNonce().ifPresent(nonce -> line(lines, "holders-nonce", nonce));
        line(lines, "ttl-millis", Long.toString(record.ttl().toMillis()));
        line(lines, "acquired-at", record.acquiredAt().toString());
        line(lines, "renewed-at", record.renewedAt().toString());
        line(lines, "state-version", Long.toString(record.stateVersion()));
        line(lines, "state", Base64.getEncoder().encodeToString(record.state().bytes()));
        record.epoch().ifPresent(epoch -> line(lines, "epoch", epoch.term() + " " + epoch.session()));
        notes(lines, record.notes());
        return lines.toString();
    }

    /** Writes only the notes that are present. Most records have few notes. */
    private static void notes(StringBuilder lines, LeaseNotes notes) {
        if (notes.priority() != LeaseNotes.MAX_PRIORITY) {
            line(lines, "priority", Integer.toString(notes.priority()));
        }
        if (notes.generation() != 0) {
            line(lines, "generation", Long.toString(notes.generation()));
        }
        notes.stepDown().ifPresent(order -> {
            line(lines, "order-by", order.by());
            line(lines, "order-to", order.to());
            line(lines, "order-reason", order.reason());
        });
        notes.pause().ifPresent(pause -> {
            line(lines, "pause-by", pause.by());
            line(lines, "pause-reason", pause.reason());
            line(lines, "pause-since", pause.since().toString());
        });
        notes.successor().ifPresent(successor -> {
            line(lines, "successor", successor.id());
            line(
                    lines,
                    "successor-delay-millis",
                    Long.toString(successor.delay().toMillis()));
        });
        for (int i = 0; i < notes.past().size(); i++) {
            LeaseNotes.PastTerm past = notes.past().get(i);
            String name = "past-" + (i + 1);
            line(
                    lines,
                    name,
                    past.term() + " " + past.from() + " " + past.until() + " " + past.end() + " " + past.holder());
            if (!past.by().isEmpty()) {
                line(lines, name + "-by", past.by());
            }
            if (!past.reason().isEmpty()) {
                line(lines, name + "-reason", past.reason());
            }
        }
    }

    /**
     * Parses a record.
     *
     * @throws IllegalArgumentException if the text is not a record; the message explains the fault to people
     */
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
                    count(fields, "term"),
                    field(fields, "nonce"),
                    Duration.ofMillis(Long.parseLong(field(fields, "ttl-millis"))),
                    Instant.parse(field(fields, "acquired-at")),
                    Instant.parse(field(fields, "renewed-at")),
                    SavedState.of(Base64.getDecoder().decode(field(fields, "state"))),
                    count(fields, "state-version"),
                    Optional.ofNullable(fields.get("epoch")).map(LeaseRecordText::epoch),
                    notes(fields),
                    Optional.ofNullable(fields.get("holders-nonce")));
        } catch (NumberFormatException | DateTimeException e) {
            throw new IllegalArgumentException("a number or a time cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Parses the stored text of the record of {@code election}.
     *
     * @param where the place of the record, for messages
     * @throws UnreadableRecordException if the text is not a record of this election. Such a text must not count as a
     *     missing record, because terms would then start at 1 again
     */
    public static LeaseRecord readStored(String where, String election, String text) {
        try {
            LeaseRecord record = read(text);
            if (!record.election().equals(election)) {
                throw new IllegalArgumentException("it is the lease of \"" + record.election() + "\"");
            }
            return record;
        } catch (IllegalArgumentException e) {
            throw UnreadableRecordException.notARecord(where, String.valueOf(e.getMessage()), e);
        }
    }

    private static LeaseNotes notes(Map<String, String> fields) {
        Optional<LeaseNotes.StepDownRequest> order = fields.containsKey("order-by")
                ? Optional.of(new LeaseNotes.StepDownRequest(
                        field(fields, "order-to"), field(fields, "order-by"), field(fields, "order-reason")))
                : Optional.empty();
        Optional<LeaseNotes.Pause> pause = fields.containsKey("pause-by")
                ? Optional.of(new LeaseNotes.Pause(
                        field(fields, "pause-by"),
                        field(fields, "pause-reason"),
                        Instant.parse(field(fields, "pause-since"))))
                : Optional.empty();
        Optional<LeaseNotes.Successor> successor = fields.containsKey("successor")
                ? Optional.of(new LeaseNotes.Successor(
                        field(fields, "successor"),
                        Duration.ofMillis(Long.parseLong(field(fields, "successor-delay-millis")))))
                : Optional.empty();
        List<LeaseNotes.PastTerm> past = new ArrayList<>();
        for (int i = 1; fields.containsKey("past-" + i); i++) {
            past.add(pastTerm(
                    field(fields, "past-" + i),
                    fields.getOrDefault("past-" + i + "-by", ""),
                    fields.getOrDefault("past-" + i + "-reason", "")));
        }
        int priority = Integer.parseInt(fields.getOrDefault("priority", String.valueOf(LeaseNotes.MAX_PRIORITY)));
        long generation = Long.parseLong(fields.getOrDefault("generation", "0"));
        return new LeaseNotes(priority, generation, order, pause, successor, past);
    }

    /** Parses a counter, and rejects a value above {@link #MAX_COUNT}. */
    private static long count(Map<String, String> fields, String name) {
        return count(name, field(fields, name));
    }

    private static long count(String name, String text) {
        long value = Long.parseLong(text);
        if (value > MAX_COUNT) {
            throw new IllegalArgumentException(name + " is " + value + "; it is at most " + MAX_COUNT);
        }
        return value;
    }

    private static LeaseRecord.Epoch epoch(String text) {
        String[] parts = text.split(" ", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("the epoch is not \"term session\": " + text);
        }
        return new LeaseRecord.Epoch(parts[1], count("the term of the epoch", parts[0]));
    }

    private static LeaseNotes.PastTerm pastTerm(String text, String by, String reason) {
        String[] parts = text.split(" ", 5);
        if (parts.length < 5) {
            throw new IllegalArgumentException("a past term is not \"term from until end holder\": " + text);
        }
        return new LeaseNotes.PastTerm(
                Long.parseLong(parts[0]),
                parts[4],
                Instant.parse(parts[1]),
                Instant.parse(parts[2]),
                LossCause.valueOf(parts[3]),
                by,
                reason);
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
