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
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Presence data that claims its channel's leadership, or another slot (rules C1, C7 and C13).
 *
 * @param slot the name of the slot that is claimed (rule C13)
 * @param ttlMillis how often the holder promises to be heard; empty if it promises nothing
 * @param released the same data with the claim taken out, for when the hub ends it
 */
record ClaimData(String slot, OptionalLong ttlMillis, Released released) {

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
    static Optional<ClaimData> read(Data data, @Nullable String encoding, ChannelRule rule, HubSettings settings)
            throws Refusal {
        String text = textOf(data, encoding);
        String steps = data instanceof Data.Bytes ? withoutUtf8(encoding) : encoding;
        if (text == null) {
            return Optional.empty();
        }
        if (steps == null || steps.isEmpty()) {
            return text.equals(BARE) ? Optional.of(bare(rule)) : Optional.empty();
        }
        if (!steps.equals("json")) {
            return Optional.empty();
        }
        JsonNode tree = parse(text);
        if (tree.isTextual() && tree.textValue().equals(BARE)) {
            return Optional.of(bare(rule));
        }
        JsonNode role = tree.isObject() ? tree.get("role") : null;
        if (role == null || !role.isTextual() || !role.textValue().equals("L")) {
            return Optional.empty();
        }
        return Optional.of(new ClaimData(
                slot(tree.get("slot"), rule), ttl(tree.get("ttl"), settings.maxClaimTtl(rule)), withoutRole((ObjectNode)
                        tree)));
    }

    private static ClaimData bare(ChannelRule rule) throws Refusal {
        return new ClaimData(slot(null, rule), OptionalLong.empty(), new Released(Data.text(""), null));
    }

    private static Released withoutRole(ObjectNode tree) {
        tree.put("role", "F");
        return new Released(Data.text(tree.toString()), "json");
    }

    /** The slot that is named, else the leader's, if the channel has it. */
    private static String slot(@Nullable JsonNode named, ChannelRule rule) throws Refusal {
        String slot = named == null ? Slot.LEADER_NAME : named.isTextual() ? named.textValue() : "";
        if (!rule.slots().containsKey(slot)) {
            String what = named == null ? "\"" + Slot.LEADER_NAME + "\"" : Quote.of(named.toString());
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "the claim's slot " + what + " is none of this channel's; there are "
                            + String.join(", ", rule.slots().keySet()));
        }
        return slot;
    }

    private static OptionalLong ttl(@Nullable JsonNode ttl, Duration maxTtl) throws Refusal {
        if (ttl == null) {
            return OptionalLong.empty();
        }
        long least = HubSettings.MIN_CLAIM_TTL.toMillis();
        long most = maxTtl.toMillis();
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
                    "the presence data says it is json, but cannot be read as such, so whether it claims cannot be"
                            + " told");
        }
    }
}
