package dev.doyen.hub.auth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A client's request for a token. Numbers stay text, because the client signs the text.
 *
 * @param mac the base64 text of HMAC-SHA256 over {@link #signedText}; null if a key authenticates the request
 */
record TokenRequest(
        String keyName,
        @Nullable String ttl,
        @Nullable String capability,
        @Nullable String clientId,
        @Nullable String timestamp,
        @Nullable String nonce,
        @Nullable String mac,
        @Nullable String revocationKey) {

    private static final int MAX_FIELD_LENGTH = 16_384;

    static TokenRequest read(String keyName, JsonNode body) throws Refusal {
        if (!body.isObject()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "a token request is an object; see requestToken");
        }
        String named = field(body, "keyName");
        if (named != null && !named.equals(keyName)) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "the token request names another key than its path");
        }
        return new TokenRequest(
                keyName,
                field(body, "ttl"),
                field(body, "capability"),
                field(body, "clientId"),
                field(body, "timestamp"),
                field(body, "nonce"),
                field(body, "mac"),
                field(body, "revocationKey"));
    }

    /** Returns the signed text: six lines, each with a line end. The line of an absent field is empty. */
    byte[] signedText() {
        var text = new StringBuilder();
        for (String line : new @Nullable String[] {keyName, ttl, capability, clientId, timestamp, nonce}) {
            text.append(line == null ? "" : line).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String field(JsonNode body, String name) throws Refusal {
        JsonNode value = body.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        // SDKs send the capability as text; users who write requests by hand send it as an object.
        String text = value.isValueNode() ? value.asText() : value.toString();
        if ((!value.isValueNode() && !name.equals("capability")) || text.length() > MAX_FIELD_LENGTH) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    name + " of the token request is no text or number of at most " + MAX_FIELD_LENGTH + " characters");
        }
        return text;
    }

    @Override
    public String toString() {
        return "TokenRequest[" + keyName + "]";
    }
}
