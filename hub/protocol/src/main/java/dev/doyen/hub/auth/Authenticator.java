package dev.doyen.hub.auth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates clients by the credentials in a query, a header or a frame.
 *
 * <p>If authentication fails, {@link #ofQuery}, {@link #ofHeader} and {@link #ofToken} throw a {@link Refusal} with the
 * error for the client. A WebSocket handler should accept the handshake and send this error in an ERROR frame, because
 * an SDK retries a rejected handshake forever.
 */
public final class Authenticator {

    private static final int MAX_NONCES = 100_000;
    private static final int MAX_REVOCATIONS = 10_000;

    private final KeyRing keys;
    private final TrustedIssuers issuers = new TrustedIssuers();
    private final Tokens tokens;
    private final TokenIssuer issuer;
    private final Revocations revocations = new Revocations(MAX_REVOCATIONS);

    public Authenticator(HubKeys keys, ClientIdRule clientIds) {
        this.keys = new KeyRing(keys);
        this.tokens = new Tokens(this.keys, issuers, clientIds);
        this.issuer = new TokenIssuer(this.keys, tokens, clientIds, new Nonces(MAX_NONCES));
    }

    /** Authenticates by the query parameter {@code key}, {@code access_token} or {@code accessToken}. */
    public Access ofQuery(Map<String, String> query, long nowMillis) throws Refusal {
        String key = query.get("key");
        String token = query.getOrDefault("access_token", query.get("accessToken"));
        if (key != null) {
            return ofKey(key);
        }
        if (token != null) {
            return ofToken(token, nowMillis);
        }
        throw new Refusal(
                ErrorCode.BAD_CREDENTIALS,
                "no credentials; connect with an API key, appId.keyId:secret, or with a token");
    }

    /**
     * Authenticates by an {@code Authorization} header. The header is Basic with a key, or Bearer with a plain or
     * base64 token. SDKs expect 40400 for an unknown key in a header, and 40101 in a query.
     */
    public Access ofHeader(String authorization, long nowMillis) throws Refusal {
        int blank = authorization.indexOf(' ');
        String scheme = blank < 0 ? "" : authorization.substring(0, blank).toLowerCase(Locale.ROOT);
        String value = authorization.substring(blank + 1).trim();
        if (scheme.equals("basic")) {
            String key = decoded(value)
                    .orElseThrow(() ->
                            new Refusal(ErrorCode.BAD_CREDENTIALS, "the Basic credentials are not base64 of a key"));
            int colon = key.indexOf(':');
            if (colon > 0 && keys.find(key.substring(0, colon)).isEmpty()) {
                throw new Refusal(
                        ErrorCode.UNKNOWN_KEY, "there is no key " + Quote.of(key.substring(0, colon)) + " on this hub");
            }
            return ofKey(key);
        }
        if (scheme.equals("bearer")) {
            // A plain token contains dots, and base64 contains none.
            return ofToken(value.contains(".") ? value : decoded(value).orElse(value), nowMillis);
        }
        throw new Refusal(
                ErrorCode.BAD_CREDENTIALS,
                "the Authorization header is neither Basic with a key nor Bearer with a token");
    }

    /** Authenticates by a token. */
    public Access ofToken(String token, long nowMillis) throws Refusal {
        Access access = tokens.verify(token, nowMillis);
        if (revocations.isRevoked(access)) {
            throw new Refusal(ErrorCode.TOKEN_REVOKED, "the token was revoked; request another token");
        }
        return access;
    }

    /**
     * Issues a token. The request must be signed with the key, or the caller must have authenticated with the key.
     *
     * @param caller the access that the request's {@code Authorization} header grants; null if the request has no such
     *     header
     */
    public TokenDetails issue(String keyName, JsonNode request, @Nullable Access caller, long nowMillis)
            throws Refusal {
        return issuer.issue(keyName, request, caller, nowMillis);
    }

    /**
     * Revokes those tokens of a key that match the target and were issued before {@code issuedBeforeMillis}.
     *
     * @param target {@code clientId:NAME} or {@code revocationKey:NAME}
     */
    public void revoke(String keyName, String target, long issuedBeforeMillis, long nowMillis) throws Refusal {
        revocations.revoke(target(keyName, target, issuedBeforeMillis, nowMillis), issuedBeforeMillis, nowMillis);
    }

    /** Returns all stored revocations. */
    public List<Revocation> revocations() {
        return revocations.list();
    }

    /**
     * Restores the revocations of an earlier run.
     *
     * @throws Refusal if a target is malformed
     */
    public void restore(List<Revocation> earlier) throws Refusal {
        for (Revocation revocation : earlier) {
            revocations.restore(
                    RevocationTarget.read(revocation.keyName(), revocation.target()), revocation.issuedBeforeMillis());
        }
    }

    /**
     * Returns a predicate that is true for the tokens that {@link #revoke} would revoke.
     *
     * <p>The method throws a {@link Refusal} if the target is malformed or {@code issuedBeforeMillis} is in the future.
     */
    public Predicate<Access> named(String keyName, String target, long issuedBeforeMillis, long nowMillis)
            throws Refusal {
        RevocationTarget meant = target(keyName, target, issuedBeforeMillis, nowMillis);
        return access -> access.issuedMillis().isPresent()
                && access.issuedMillis().getAsLong() < issuedBeforeMillis
                && RevocationTarget.of(access).contains(meant);
    }

    private static RevocationTarget target(String keyName, String target, long issuedBeforeMillis, long nowMillis)
            throws Refusal {
        if (issuedBeforeMillis > nowMillis) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER, "issuedBefore is in the future; give a time that is not, or leave it out");
        }
        return RevocationTarget.read(keyName, target);
    }

    /** Returns true if the token of an authenticated client has been revoked. */
    public boolean isRevoked(Access access) {
        return revocations.isRevoked(access);
    }

    /** Replaces the hub's own keys. The caller applies the returned change to all clients that have authenticated. */
    public KeyChange replaceKeys(HubKeys next) {
        return keys.replace(next);
    }

    /** Trusts a token issuer. The caller calls this method before any client authenticates. */
    public void trust(TrustedIssuer issuer, IssuerKeys issuerKeys) {
        issuers.trust(issuer, issuerKeys);
    }

    /** Returns true if a token named an unknown key of this issuer since the last call. */
    public boolean takeUnknownKey(String issuer) {
        return issuers.takeUnknownKey(issuer);
    }

    /** Replaces the keys of a trusted issuer. The caller applies the returned change as in {@link #replaceKeys}. */
    public KeyChange replaceIssuerKeys(String issuer, IssuerKeys next) {
        return issuers.replaceKeys(issuer, next);
    }

    /** Makes the keys of another app valid until {@link #takeBack}. The hub must have no valid key of that app. */
    public void lend(List<HubKey> keysOfApp) {
        keys.lend(keysOfApp);
    }

    public void takeBack(String appId) {
        keys.takeBack(appId);
    }

    private Access ofKey(String key) throws Refusal {
        return keys.authenticate(key)
                .orElseThrow(
                        () -> new Refusal(ErrorCode.BAD_CREDENTIALS, "the API key is unknown, or its secret is wrong"))
                .access();
    }

    private static Optional<String> decoded(String base64) {
        try {
            return Optional.of(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
