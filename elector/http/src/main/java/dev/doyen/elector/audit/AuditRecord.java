package dev.doyen.elector.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record of the audit log. It contains no secret.
 *
 * @param fields the fields in their order; values are strings or whole numbers
 */
public record AuditRecord(AuditEvent event, Map<String, Object> fields) {

    /** The maximum number of characters of a value. Longer values are cut. */
    public static final int MAX_VALUE_LENGTH = 500;

    private static final JsonFactory JSON = new JsonFactory();

    /** Returns a record without fields. */
    public static AuditRecord of(AuditEvent event) {
        return new AuditRecord(event, Map.of());
    }

    /** Returns a copy with this field. For a null or empty value, returns this record. */
    public AuditRecord with(String field, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return this;
        }
        return with(field, (Object) (value.length() > MAX_VALUE_LENGTH ? value.substring(0, MAX_VALUE_LENGTH) : value));
    }

    /** Returns a copy with this number. */
    public AuditRecord with(String field, long number) {
        return with(field, (Object) number);
    }

    private AuditRecord with(String field, Object value) {
        var copy = new LinkedHashMap<>(fields);
        copy.put(field, value);
        return new AuditRecord(event, Collections.unmodifiableMap(copy));
    }

    /** Returns the record as one line of JSON, without the line end. */
    String json(Instant time) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("time", time.toString());
            json.writeStringField("event", event.text());
            for (var field : fields.entrySet()) {
                if (field.getValue() instanceof Long number) {
                    json.writeNumberField(field.getKey(), number);
                } else {
                    json.writeStringField(field.getKey(), field.getValue().toString());
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
