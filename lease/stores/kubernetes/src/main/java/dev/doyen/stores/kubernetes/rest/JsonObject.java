package dev.doyen.stores.kubernetes.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A JSON object of Kubernetes, with all its fields.
 *
 * <p>The object includes fields that Doyen does not use, so a write preserves these fields. Values are maps, lists,
 * strings, numbers and booleans. A null value counts as absent.
 *
 * <p>The class uses only Jackson's streaming core, because data binding would dominate the memory and the start time of
 * a sidecar.
 */
public record JsonObject(Map<String, Object> fields) {

    public static final JsonObject EMPTY = new JsonObject(Map.of());

    /**
     * The maximum length of a string, in characters. No stored object has a longer string, because etcd stores objects
     * of at most 1.5 MiB.
     */
    private static final int MAX_STRING = 2 * 1024 * 1024;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxStringLength(MAX_STRING)
                    .build())
            .build();

    public JsonObject {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if the text does not begin with a complete JSON object
     */
    public static JsonObject read(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object");
            }
            return new JsonObject(readObject(parser));
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
    }

    public byte[] bytes() {
        var out = new ByteArrayOutputStream();
        try (JsonGenerator generator = FACTORY.createGenerator(out)) {
            write(generator, fields);
        } catch (IOException e) {
            throw new IllegalStateException("nothing fails when writing to memory", e);
        }
        return out.toByteArray();
    }

    /** Returns the object in this field, or an empty object. */
    public JsonObject at(String name) {
        return fields.get(name) instanceof Map<?, ?> map ? ofMap(map) : EMPTY;
    }

    public Optional<String> text(String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    public OptionalLong number(String name) {
        return fields.get(name) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    /** Returns the objects in this field's list. */
    public List<JsonObject> objects(String name) {
        List<JsonObject> found = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> map) {
                    found.add(ofMap(map));
                }
            }
        }
        return found;
    }

    /** Returns the strings in this field's list. */
    public List<String> texts(String name) {
        List<String> found = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof String text) {
                    found.add(text);
                }
            }
        }
        return found;
    }

    public JsonObject with(String name, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(fields);
        changed.put(name, value instanceof JsonObject object ? object.fields : value);
        return new JsonObject(changed);
    }

    public JsonObject without(String name) {
        Map<String, Object> changed = new LinkedHashMap<>(fields);
        changed.remove(name);
        return new JsonObject(changed);
    }

    private static JsonObject ofMap(Map<?, ?> map) {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((name, value) -> fields.put(String.valueOf(name), value));
        return new JsonObject(fields);
    }

    private static Map<String, Object> readObject(JsonParser parser) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                fields.put(name, readValue(parser));
            }
        }
        return fields;
    }

    private static Object readValue(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (parser.currentToken() != JsonToken.VALUE_NULL) {
                        list.add(readValue(parser));
                    }
                }
                yield list;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> field : map.entrySet()) {
                generator.writeFieldName(String.valueOf(field.getKey()));
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object each : list) {
                write(generator, each);
            }
            generator.writeEndArray();
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else {
            generator.writeString(String.valueOf(value));
        }
    }
}
