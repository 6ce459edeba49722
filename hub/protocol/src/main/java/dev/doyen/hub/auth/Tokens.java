package dev.doyen.hub.auth;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.exceptions.JWTDecodeException;
import com.auth0.jwt.exceptions.SignatureVerificationException;
import com.auth0.jwt.interfaces.Claim;
import com.auth0.jwt.interfaces.DecodedJWT;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies tokens. Tokens are JWTs (RFC 7519).
 *
 * <p>The secret of a key signs tokens with HS256. Trusted issuers sign tokens with private keys of their own.
 *
 * <p>Applications sign tokens for their clients, and the hub signs tokens that clients request. The hub stores no
 * tokens, so a token is valid on every node and after a restart.
 */
final class Tokens {

    /** The maximum lifetime of a token. The hub stores a revocation for this time plus {@link #CLOCK_TOLERANCE}. */
    static final Duration LONGEST = Duration.ofHours(24);

    /** The maximum difference between the clocks of a signer and the hub. */
    static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(2);

    private static final String CAPABILITY = "x-ably-capability";
    private static final String CLIENT_ID = "x-ably-clientId";
    private static final String REVOCATION_KEY = "x-ably-revocation-key";
    /**
     * The name of the JWT claim with the issue time in milliseconds. The standard JWT claims have a resolution of one
     * second.
     */
    private static final String ISSUED_MILLIS = "x-doyen-iat";

    private static final String EXPIRES_MILLIS = "x-doyen-exp";

    private static final int MAX_LENGTH = 16_384;

    /** The end of the year 9999, in seconds since the epoch. */
    private static final long LATEST_SECONDS = 253_402_300_799L;

    private final KeyRing keys;
    private final TrustedIssuers issuers;
    private final ClientIdRule clientIds;

    Tokens(KeyRing keys, TrustedIssuers issuers, ClientIdRule clientIds) {
        this.keys = keys;
        this.issuers = issuers;
        this.clientIds = clientIds;
    }

    /**
     * Verifies a token. Throws a {@link Refusal} if no valid key signed the token, or if the token is not valid at
     * this time.
     */
    Access verify(String token, long nowMillis) throws Refusal {
        if (token.length() > MAX_LENGTH) {
            throw bad("has " + token.length() + " characters; at most " + MAX_LENGTH + " are allowed");
        }
        DecodedJWT jwt = decoded(token);
        Signer signer = issuers.concern(jwt) ? issuers.verify(jwt) : signedByHubKey(jwt);
        checkCriticalHeader(jwt);
        checkNotBefore(jwt, nowMillis);
        long issued = millis(jwt, ISSUED_MILLIS, jwt.getIssuedAtAsInstant(), "iat");
        long expires = millis(jwt, EXPIRES_MILLIS, jwt.getExpiresAtAsInstant(), "exp");
        if (issued > nowMillis + CLOCK_TOLERANCE.toMillis()) {
            throw bad("is issued " + (issued - nowMillis) + " ms from now; check the signer's clock");
        }
        if (expires - issued > LONGEST.toMillis()) {
            throw bad("lasts " + (expires - issued) / 1_000 + " s; at most " + LONGEST.toSeconds() + " s are allowed");
        }
        if (expires <= nowMillis) {
            throw new Refusal(
                    ErrorCode.TOKEN_EXPIRED,
                    "the token expired " + (nowMillis - expires) + " ms ago; request another token");
        }
        String clientId = text(jwt, CLIENT_ID);
        if (clientId != null) {
            clientIds.check(clientId);
        }
        return new Access(
                signer.name(),
                signer.app(),
                clientId,
                capability(text(jwt, CAPABILITY), signer),
                text(jwt, REVOCATION_KEY),
                OptionalLong.of(issued),
                OptionalLong.of(expires));
    }

    /** Issues a token that grants the access. The key signs the token. */
    TokenDetails issue(HubKey key, Access access) {
        long issued = access.issuedMillis().orElseThrow();
        long expires = access.expiresMillis().orElseThrow();
        var jwt = JWT.create()
                .withKeyId(key.name())
                .withIssuedAt(Instant.ofEpochMilli(issued))
                .withExpiresAt(Instant.ofEpochMilli(expires))
                .withClaim(ISSUED_MILLIS, issued)
                .withClaim(EXPIRES_MILLIS, expires)
                .withClaim(CAPABILITY, access.capability().text());
        if (access.clientId() != null) {
            jwt.withClaim(CLIENT_ID, access.clientId());
        }
        if (access.revocationKey() != null) {
            jwt.withClaim(REVOCATION_KEY, access.revocationKey());
        }
        return new TokenDetails(jwt.sign(algorithm(key)), access);
    }

    private static DecodedJWT decoded(String token) throws Refusal {
        if (token.chars().filter(c -> c == '.').count() != 2) {
            // Do not send an error code for tokens. That code would make an SDK request tokens from the same source
            // forever.
            throw new Refusal(
                    ErrorCode.BAD_CREDENTIALS,
                    "the token is not a JWT, so this hub did not issue it; check the source of the client's tokens");
        }
        try {
            return JWT.decode(token);
        } catch (JWTDecodeException e) {
            throw bad("cannot be read as a JWT");
        }
    }

    private Signer signedByHubKey(DecodedJWT jwt) throws Refusal {
        HubKey key = keys.find(jwt.getKeyId())
                .orElseThrow(() -> new Refusal(
                        ErrorCode.NOT_FOUND,
                        "the token's kid is " + (jwt.getKeyId() == null ? "missing" : Quote.of(jwt.getKeyId()))
                                + ", which is no key of this hub"));
        checkSignature(jwt, key);
        return new Signer(key.name(), key.access().app(), key.capability());
    }

    private static void checkSignature(DecodedJWT jwt, HubKey key) throws Refusal {
        Algorithm algorithm = algorithm(key);
        // The token's header must not choose the algorithm. Otherwise a forged token could name "none" or another
        // algorithm.
        if (!algorithm.getName().equals(jwt.getAlgorithm())) {
            throw bad("is not signed with " + algorithm.getName());
        }
        try {
            algorithm.verify(jwt);
        } catch (SignatureVerificationException e) {
            throw bad("is not signed by the key it names");
        }
    }

    /** Rejects a token with a critical extension (RFC 7515, section 4.1.11). This class supports none. */
    private static void checkCriticalHeader(DecodedJWT jwt) throws Refusal {
        if (!jwt.getHeaderClaim("crit").isMissing()) {
            throw bad("has the header crit; this hub knows no critical extension, so leave crit out");
        }
    }

    private static void checkNotBefore(DecodedJWT jwt, long nowMillis) throws Refusal {
        Instant begin = jwt.getNotBeforeAsInstant();
        if (begin != null && begin.getEpochSecond() * 1_000 > nowMillis + CLOCK_TOLERANCE.toMillis()) {
            throw bad("is valid only from " + begin + " (claim nbf); use it later, or check the signer's clock");
        }
    }

    private static Algorithm algorithm(HubKey key) {
        return Algorithm.HMAC256(key.secret());
    }

    private static Capability capability(@Nullable String text, Signer signer) throws Refusal {
        if (text == null) {
            return signer.capability();
        }
        Capability capability = Capability.parse(text).intersect(signer.capability());
        if (capability.isEmpty()) {
            throw new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "the token's capability has nothing in common with that of its key " + Quote.of(signer.name()));
        }
        return capability;
    }

    private static long millis(DecodedJWT jwt, String exact, @Nullable Instant given, String name) throws Refusal {
        if (given == null) {
            throw bad("has no claim " + name);
        }
        long seconds = given.getEpochSecond();
        if (seconds < 0 || seconds > LATEST_SECONDS) {
            throw bad("has a claim " + name + " of " + seconds + "; give seconds since the epoch, up to "
                    + LATEST_SECONDS);
        }
        Long millis = jwt.getClaim(exact).asLong();
        // Use the value in milliseconds only if it lies within the second that the standard JWT claim names.
        return millis != null && Math.floorDiv(millis, 1_000L) == seconds ? millis : seconds * 1_000;
    }

    private static @Nullable String text(DecodedJWT jwt, String name) throws Refusal {
        Claim claim = jwt.getClaim(name);
        if (claim.isMissing() || claim.isNull()) {
            return null;
        }
        String text = claim.asString();
        if (text == null) {
            throw bad("has a claim " + name + " that is no string");
        }
        return text;
    }

    private static Refusal bad(String sentence) {
        return new Refusal(ErrorCode.TOKEN_INVALID, "the token " + sentence);
    }
}
