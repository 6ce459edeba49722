package dev.doyen.demo.quorum;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Writes and reads the records of this package as JSON, one record per line. Absent values are omitted. */
public final class JsonLines {

    private static final JsonMapper JSON = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.USE_DEFAULTS))
            .build();

    private JsonLines() {}

    public static String write(Record value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of this package cannot be written as JSON", e);
        }
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the line does not contain a record of this type
     */
    public static <T extends Record> T read(String line, Class<T> type) {
        try {
            return JSON.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this line is not a " + type.getSimpleName() + ": " + line, e);
        }
    }
}
