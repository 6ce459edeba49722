package dev.doyen.demo;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Signs the tokens of the demo's pages: JWTs (RFC 7519) with HS256 and the hub's key.
 *
 * <p>A token contains only the rights that the pages need, and only for the pages' channels. So a visitor who copies
 * the token can do no more than the pages.
 *
 * <p>Threads: any.
 */
final class PageTokens {

    /** The lifetime of a token. The SDK requests a new token before the old one expires. */
    static final Duration LIFETIME = Duration.ofHours(1);

    private static final List<String> PAGES = List.of("game", "voting");
    private static final String RIGHTS = "[\"publish\",\"subscribe\",\"presence\",\"history\",\"lead\"]";
    private static final Pattern CLIENT_ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private final String keyName;
    private final Algorithm algorithm;
    private final String capability;

    /**
     * Creates the signer.
     *
     * @param key the hub's key, {@code appId.keyId:secret}
     * @param channel the channel of the counter
     */
    PageTokens(String key, String channel) {
        int colon = key.indexOf(':');
        keyName = key.substring(0, colon);
        algorithm = Algorithm.HMAC256(key.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
        capability = Stream.concat(Stream.of(channel), PAGES.stream())
                .distinct()
                .map(name -> "\"" + name + "\":" + RIGHTS)
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * Returns a token for a page; empty if the client id is not allowed. A client id is 1 to 100 letters, digits and
     * {@code . _ : -}.
     */
    Optional<String> sign(String clientId, Instant now) {
        if (!CLIENT_ID.matcher(clientId).matches()) {
            return Optional.empty();
        }
        return Optional.of(JWT.create()
                .withKeyId(keyName)
                .withIssuedAt(now)
                .withExpiresAt(now.plus(LIFETIME))
                .withClaim("x-ably-capability", capability)
                .withClaim("x-ably-clientId", clientId)
                .sign(algorithm));
    }
}
