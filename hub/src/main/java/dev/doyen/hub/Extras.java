package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Utf8;
import org.jspecify.annotations.Nullable;

/** The {@code extras} of messages, and the term that travels in them (rules C4 and C10). Trees are never changed in place. */
final class Extras {

    /** The header that carries a term: the hub's on presence, the publisher's on messages. */
    static final String TERM_HEADER = "doyen-term";

    private static final String HEADERS = "headers";

    private Extras() {}

    /** Refuses extras that are no object, or whose headers are none. */
    static void check(@Nullable JsonNode extras) throws Refusal {
        if (extras == null || extras.isNull()) {
            return;
        }
        if (!extras.isObject()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "extras must be an object");
        }
        JsonNode headers = extras.get(HEADERS);
        if (headers != null && !headers.isNull() && !headers.isObject()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "extras.headers must be an object");
        }
    }

    /** Units: bytes, as JSON. */
    static int size(@Nullable JsonNode extras) {
        return extras == null || extras.isNull() ? 0 : Utf8.length(extras.toString());
    }

    /** The term header; null if there is none. */
    static @Nullable JsonNode term(@Nullable JsonNode extras) {
        JsonNode headers = extras == null ? null : extras.get(HEADERS);
        return headers == null ? null : headers.get(TERM_HEADER);
    }

    static @Nullable JsonNode withoutTerm(@Nullable JsonNode extras) {
        if (extras == null || extras.isNull()) {
            return null;
        }
        if (term(extras) == null
                || !(extras.deepCopy() instanceof ObjectNode copy)
                || !(copy.get(HEADERS) instanceof ObjectNode headers)) {
            return extras;
        }
        headers.remove(TERM_HEADER);
        if (headers.isEmpty()) {
            copy.remove(HEADERS);
        }
        return copy.isEmpty() ? null : copy;
    }

    static JsonNode withTerm(@Nullable JsonNode extras, long term) {
        ObjectNode copy = extras != null && extras.deepCopy() instanceof ObjectNode object
                ? object
                : JsonNodeFactory.instance.objectNode();
        ObjectNode headers = copy.get(HEADERS) instanceof ObjectNode known ? known : copy.putObject(HEADERS);
        headers.put(TERM_HEADER, term);
        return copy;
    }
}
