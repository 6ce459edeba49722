package dev.doyen.elector;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The elector's JSON, field by field, in a fixed order and without white space. */
final class ElectionJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ElectionJson() {}

    /**
     * Exactly {@code {"name":...,"last_update":...}} with whole seconds. Callers of the NAIS elector bind it to types
     * that tolerate no third field and no missing one.
     */
    static String leaderName(String leaderId, Instant lastUpdate) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("name", leaderId);
            json.writeStringField(
                    "last_update", lastUpdate.truncatedTo(ChronoUnit.SECONDS).toString());
            json.writeEndObject();
        });
    }

    static String election(ElectionView view) {
        return written(json -> writeElection(json, view));
    }

    static String elections(List<ElectionView> views) {
        return written(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("elections");
            for (var view : views) {
                writeElection(json, view);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static String reason(String reason) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("reason", reason);
            json.writeEndObject();
        });
    }

    static String problem(int status, String title, String detail) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            json.writeEndObject();
        });
    }

    private static void writeElection(JsonGenerator json, ElectionView view) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", view.name());
        if (view.leader().isPresent()) {
            json.writeObjectFieldStart("leader");
            json.writeStringField("id", view.leader().get().id());
            json.writeNumberField("term", view.leader().get().term());
            json.writeEndObject();
        } else {
            json.writeNullField("leader");
        }
        json.writeNumberField("lastTerm", view.lastTerm());
        json.writeStringField(
                "since", view.since().truncatedTo(ChronoUnit.MILLIS).toString());
        json.writeStringField(
                "lastUpdate", view.lastUpdate().truncatedTo(ChronoUnit.MILLIS).toString());
        json.writeEndObject();
    }

    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static String written(Writing writing) {
        var text = new StringWriter();
        try (var json = FACTORY.createGenerator(text)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
