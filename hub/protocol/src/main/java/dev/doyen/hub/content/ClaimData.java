package dev.doyen.hub.content;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
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
 * Presence data that claims the leader slot or another slot (rules C1, C7 and C13).
 *
 * @param slot the name of the claimed slot (rule C13)
 * @param ttlMillis the time within which the client promises to send its next frame (rule C7); empty if the claim makes
 *     no such promise
 * @param released the same data without the claim, for the event that ends the claim
 */
public record ClaimData(String slot, OptionalLong ttlMillis, Released released) {

    /** Presence data from which the claim was removed. */
    public record Released(Data data, @Nullable String encoding) {}

    private static final String BARE = "leader";
    private static final Released BARE_RELEASED = new Released(Data.text(""), null);

    /**
     * A parser that reads JSON as a browser does, within the limits below. With another parser, the hub and a page
     * could disagree on whether the same data contains a claim.
     */
    private static final JsonMapper JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(200)
                            .maxNumberLength(1_000)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Returns the claim in presence data. The result is empty if the data contains no claim.
     *
     * <p>Throws a {@link Refusal} if the claim is invalid, or if the data is labelled as JSON and cannot be read.
     */
    public static Optional<ClaimData> read(Data data, @Nullable String encoding, ChannelRule rule, HubSettings settings)
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
        return new ClaimData(slot(null, rule), OptionalLong.empty(), BARE_RELEASED);
    }

    /** Returns true if the data is only the string {@code leader}. A client with such a claim sends no fences. */
    public boolean isBare() {
        return released.equals(BARE_RELEASED);
    }

    /** Returns true if the hub writes this data when it ends a bare claim. */
    public static boolean isReleasedBare(Data data) {
        return data.equals(BARE_RELEASED.data());
    }

    private static Released withoutRole(ObjectNode tree) {
        tree.put("role", "F");
        return new Released(Data.text(tree.toString()), "json");
    }

    /** Returns the named slot, or the leader slot if the data names no slot. */
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

    /**
     * Returns the data as text, or null if the data is not text. The method decodes bytes whose encoding ends with
     * {@code utf-8}, as SDKs do.
     */
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
                    "the encoding of the presence data is json, but the data is not JSON; send JSON or another"
                            + " encoding");
        }
    }
}
