package dev.doyen.hub.auth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Issues tokens for signed requests and for requests that a key authenticates.
 *
 * <p>The requests have the format of Ably's token requests (items RSA9 and TE1 to TE6 of Ably's specification).
 */
final class TokenIssuer {

    private static final Duration USUAL_TTL = Duration.ofHours(1);
    private static final int MIN_NONCE_LENGTH = 16;
    private static final int MAX_NONCE_LENGTH = 255;

    private final KeyRing keys;
    private final Tokens tokens;
    private final ClientIdRule clientIds;
    private final Nonces nonces;

    TokenIssuer(KeyRing keys, Tokens tokens, ClientIdRule clientIds, Nonces nonces) {
        this.keys = keys;
        this.tokens = tokens;
        this.clientIds = clientIds;
        this.nonces = nonces;
    }

    /**
     * Issues the token for a request.
     *
     * @param body the request body
     * @param caller the access that the request's {@code Authorization} header grants; null if the request has no such
     *     header
     */
    TokenDetails issue(String keyName, JsonNode body, @Nullable Access caller, long nowMillis) throws Refusal {
        HubKey key = keys.find(keyName)
                .orElseThrow(() ->
                        new Refusal(ErrorCode.UNKNOWN_KEY, "there is no key " + Quote.of(keyName) + " on this hub"));
        TokenRequest request = TokenRequest.read(keyName, body);
        long ttlMillis = ttlMillis(request);
        Capability capability = capability(request, key);
        if (request.clientId() != null) {
            clientIds.check(request.clientId());
        }
        if (request.mac() == null) {
            if (caller == null || caller.isToken() || !caller.keyName().equals(keyName)) {
                throw new Refusal(
                        ErrorCode.BAD_CREDENTIALS,
                        "the token request has no mac; sign it, or authenticate it with the key " + Quote.of(keyName));
            }
        } else {
            checkSignature(request, request.mac(), key);
            checkFresh(request, nowMillis);
        }
        return tokens.issue(
                key,
                new Access(
                        keyName,
                        key.access().app(),
                        request.clientId(),
                        capability,
                        request.revocationKey(),
                        OptionalLong.of(nowMillis),
                        OptionalLong.of(nowMillis + ttlMillis)));
    }

    private static long ttlMillis(TokenRequest request) throws Refusal {
        String ttl = request.ttl();
        if (ttl == null || ttl.isEmpty()) {
            return USUAL_TTL.toMillis();
        }
        long millis = ttl.matches("[0-9]{1,12}") ? Long.parseLong(ttl) : 0;
        if (millis < 1 || millis > Tokens.LONGEST.toMillis()) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "ttl is " + Quote.of(ttl) + "; give whole milliseconds from 1 to " + Tokens.LONGEST.toMillis());
        }
        return millis;
    }

    private static Capability capability(TokenRequest request, HubKey key) throws Refusal {
        String text = request.capability();
        if (text == null || text.isEmpty()) {
            return key.capability();
        }
        Capability capability = Capability.parse(text).intersect(key.capability());
        if (capability.isEmpty()) {
            throw new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "the capability asked for has nothing in common with that of the key " + Quote.of(key.name()));
        }
        return capability;
    }

    private static void checkSignature(TokenRequest request, String mac, HubKey key) throws Refusal {
        byte[] expected = Base64.getEncoder().encode(hmac(key.secret(), request.signedText()));
        if (!MessageDigest.isEqual(expected, mac.getBytes(StandardCharsets.UTF_8))) {
            throw new Refusal(
                    ErrorCode.BAD_CREDENTIALS,
                    "the token request's mac is not that of the key " + Quote.of(key.name()));
        }
    }

    private void checkFresh(TokenRequest request, long nowMillis) throws Refusal {
        String stamp = request.timestamp() == null ? "" : request.timestamp();
        if (!stamp.matches("[0-9]{1,15}")) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "timestamp is " + Quote.of(stamp) + "; give milliseconds since the epoch, as GET /time does");
        }
        long offMillis = Math.abs(nowMillis - Long.parseLong(stamp));
        if (offMillis > Tokens.CLOCK_TOLERANCE.toMillis()) {
            throw new Refusal(
                    ErrorCode.TIMESTAMP_NOT_CURRENT,
                    "the token request's timestamp is off by " + offMillis + " ms; at most "
                            + Tokens.CLOCK_TOLERANCE.toMillis() + " are allowed; ask GET /time first");
        }
        String nonce = request.nonce() == null ? "" : request.nonce();
        if (nonce.length() < MIN_NONCE_LENGTH || nonce.length() > MAX_NONCE_LENGTH) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the token request's nonce has " + nonce.length() + " characters; give " + MIN_NONCE_LENGTH + " to "
                            + MAX_NONCE_LENGTH + ", never used before with this timestamp");
        }
        nonces.use(request.keyName() + '\n' + stamp + '\n' + nonce, nowMillis);
    }

    private static byte[] hmac(byte[] secret, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
