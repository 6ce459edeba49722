package dev.doyen.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Formats a JSON object as one line of output. */
final class JsonLine {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonLine() {}

    /** Writes the fields of an object. */
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static String of(Fields fields) {
        var text = new StringWriter();
        try (var json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
