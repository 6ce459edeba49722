package dev.doyen.elector.text;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.store.LeaseNotes;
import java.io.IOException;

/**
 * The JSON fields of a past term. {@code /v1/elections/NAME/history} and {@code doyen history --json} use the same
 * fields.
 */
public final class PastTermFields {

    private PastTermFields() {}

    /**
     * Writes the fields into the current object. The fields {@code by} and {@code reason} are absent if no admin
     * command ended the term.
     *
     * @throws IOException if the generator cannot write
     */
    public static void write(JsonGenerator json, LeaseNotes.PastTerm past) throws IOException {
        json.writeNumberField("term", past.term());
        json.writeStringField("holder", past.holder());
        json.writeStringField("from", Spans.millis(past.from()));
        json.writeStringField("until", Spans.millis(past.until()));
        json.writeStringField("end", ElectionText.text(past.end()));
        if (!past.by().isEmpty()) {
            json.writeStringField("by", past.by());
            json.writeStringField("reason", past.reason());
        }
    }
}
