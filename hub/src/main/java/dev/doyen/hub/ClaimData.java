package dev.doyen.hub;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Presence data that claims its channel's leadership (rules C1 and C7).
 *
 * @param ttlMillis how often the holder promises to be heard; empty if it promises nothing
 * @param released the same data with the claim taken out, for when the hub ends it
 */
record ClaimData(OptionalLong ttlMillis, Released released) {

    /** Data without its claim. */
    record Released(Data data, @Nullable String encoding) {}

    private static final String BARE = "leader";

    /** Data is read here exactly as a browser reads it, or it could look like a claim there and not here. */
    private static final JsonMapper JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(200)
                            .maxNumberLength(1_000)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** What this data claims, empty if it does not. Errors: a {@link Refusal} if it claims wrongly or cannot be told. */
    static Optional<ClaimData> read(Data data, @Nullable String encoding, HubSettings settings) throws Refusal {
        String text = textOf(data, encoding);
        String steps = data instanceof Data.Bytes ? withoutUtf8(encoding) : encoding;
        if (text == null) {
            return Optional.empty();
        }
        if (steps == null || steps.isEmpty()) {
            return text.equals(BARE) ? Optional.of(bare()) : Optional.empty();
        }
        if (!steps.equals("json")) {
            return Optional.empty();
        }
        JsonNode tree = parse(text);
        if (tree.isTextual() && tree.textValue().equals(BARE)) {
            return Optional.of(bare());
        }
        JsonNode role = tree.isObject() ? tree.get("role") : null;
        if (role == null || !role.isTextual() || !role.textValue().equals("L")) {
            return Optional.empty();
        }
        return Optional.of(new ClaimData(ttl(tree.get("ttl"), settings), withoutRole((ObjectNode) tree)));
    }

    private static ClaimData bare() {
        return new ClaimData(OptionalLong.empty(), new Released(Data.text(""), null));
    }

    private static Released withoutRole(ObjectNode tree) {
        tree.put("role", "F");
        return new Released(Data.text(tree.toString()), "json");
    }

    private static OptionalLong ttl(@Nullable JsonNode ttl, HubSettings settings) throws Refusal {
        if (ttl == null) {
            return OptionalLong.empty();
        }
        long least = HubSettings.MIN_CLAIM_TTL.toMillis();
        long most = settings.maxClaimTtl().toMillis();
        OptionalLong millis = WholeNumbers.of(ttl);
        if (millis.isEmpty() || millis.getAsLong() < least || millis.getAsLong() > most) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "the claim's ttl is " + Quote.of(ttl.toString()) + "; give whole milliseconds from " + least
                            + " to " + most);
        }
        return millis;
    }

    /** SDKs undo a {@code utf-8} step on bytes, so what is under it reads as text there, and does here. */
    private static @Nullable String textOf(Data data, @Nullable String encoding) {
        if (data instanceof Data.Text text) {
            return text.text();
        }
        boolean utf8 = encoding != null && (encoding.equals("utf-8") || encoding.endsWith("/utf-8"));
        return utf8 && data instanceof Data.Bytes bytes ? new String(bytes.toArray(), StandardCharsets.UTF_8) : null;
    }

    private static @Nullable String withoutUtf8(@Nullable String encoding) {
        int slash = encoding == null ? -1 : encoding.lastIndexOf('/');
        return slash < 0 || encoding == null ? null : encoding.substring(0, slash);
    }

    private static JsonNode parse(String text) throws Refusal {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the presence data says it is json, but cannot be read as such, so whether it claims cannot be told");
        }
    }
}
