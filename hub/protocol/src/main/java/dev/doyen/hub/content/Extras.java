package dev.doyen.hub.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import dev.doyen.hub.wire.Utf8;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes claims in the {@code extras} of messages (rules C4 and C10). The methods never modify a given JSON
 * tree.
 */
public final class Extras {

    /**
     * The header that contains a term. The hub sets the header in presence events and in messages with a saved state. In
     * other messages the publisher sets the header.
     */
    public static final String TERM_HEADER = "doyen-term";

    /** The header that names the slot to which the term belongs. */
    static final String SLOT_HEADER = "doyen-slot";

    /**
     * The header for the reason why a claim ended (rule C16). {@link #SUCCESSOR_HEADER} names the only client that may
     * claim next.
     */
    static final String REASON_HEADER = "doyen-reason";

    static final String SUCCESSOR_HEADER = "doyen-successor";

    /** The headers that only the hub may set in PRESENCE frames. */
    private static final List<String> RESERVED = List.of(TERM_HEADER, SLOT_HEADER, REASON_HEADER, SUCCESSOR_HEADER);

    private static final int MAX_ENCODING_LENGTH = 255;

    private static final String HEADERS = "headers";

    private Extras() {}

    /** Throws a {@link Refusal} if the extras or their headers are not an object. */
    public static void check(@Nullable JsonNode extras) throws Refusal {
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

    /**
     * Throws a {@link Refusal} if the encoding of a message or presence data is too long. The encoding has its own
     * limit, because it does not count toward the message size.
     */
    public static void checkEncoding(@Nullable String encoding) throws Refusal {
        if (encoding != null && encoding.length() > MAX_ENCODING_LENGTH) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the encoding has " + encoding.length() + " characters; at most " + MAX_ENCODING_LENGTH
                            + " are allowed");
        }
    }

    /** Returns the size of the extras as JSON, in bytes. */
    public static int size(@Nullable JsonNode extras) {
        return extras == null || extras.isNull() ? 0 : Utf8.length(extras.toString());
    }

    /** Returns the term header, or null if it is absent. */
    public static @Nullable JsonNode term(@Nullable JsonNode extras) {
        return header(extras, TERM_HEADER);
    }

    /** Returns the term that the hub has set, or 0 if the term is absent. */
    public static long termOf(@Nullable JsonNode extras) {
        JsonNode term = term(extras);
        return term == null ? 0 : WholeNumbers.of(term).orElse(0);
    }

    /** Returns the slot header, or null if it is absent. */
    public static @Nullable JsonNode slot(@Nullable JsonNode extras) {
        return header(extras, SLOT_HEADER);
    }

    private static @Nullable JsonNode header(@Nullable JsonNode extras, String name) {
        JsonNode headers = extras == null ? null : extras.get(HEADERS);
        return headers == null ? null : headers.get(name);
    }

    /** Returns the extras without the headers that only the hub may set. The result is null if nothing is left. */
    public static @Nullable JsonNode withoutClaim(@Nullable JsonNode extras) {
        if (extras == null || extras.isNull()) {
            return null;
        }
        if (RESERVED.stream().allMatch(name -> header(extras, name) == null)
                || !(extras.deepCopy() instanceof ObjectNode copy)
                || !(copy.get(HEADERS) instanceof ObjectNode headers)) {
            return extras;
        }
        headers.remove(RESERVED);
        if (headers.isEmpty()) {
            copy.remove(HEADERS);
        }
        return copy.isEmpty() ? null : copy;
    }

    /** Returns the extras with the term and the slot of a claim (rule C4). */
    public static JsonNode withClaim(@Nullable JsonNode extras, long term, Slot slot) {
        ObjectNode copy = copy(extras);
        headers(copy).put(TERM_HEADER, term).put(SLOT_HEADER, slot.toString());
        return copy;
    }

    /** Returns the extras without the claim and with the reason why the claim ended. */
    public static JsonNode demoted(@Nullable JsonNode extras, String reason, String successor) {
        ObjectNode copy = copy(withoutClaim(extras));
        headers(copy).put(REASON_HEADER, reason);
        if (!successor.isEmpty()) {
            headers(copy).put(SUCCESSOR_HEADER, successor);
        }
        return copy;
    }

    private static ObjectNode copy(@Nullable JsonNode extras) {
        return extras != null && extras.deepCopy() instanceof ObjectNode object
                ? object
                : JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode headers(ObjectNode extras) {
        return extras.get(HEADERS) instanceof ObjectNode known ? known : extras.putObject(HEADERS);
    }
}
