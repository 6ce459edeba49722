package dev.doyen.demo;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import dev.doyen.elector.http.Audience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Signs the tokens of pages: JWTs (RFC 7519) with HS256 and the hub's key.
 *
 * <p>A token contains only the rights that a page needs, and only for one channel. So a visitor who copies the token can
 * do no more than the page. The pages of other machines get tokens only for the channels of the demo. A page of this
 * machine can be a page that its developer is writing, so it gets tokens for any channel.
 *
 * <p>Threads: any.
 */
final class PageTokens {

    /** The lifetime of a token. The SDK requests a new token before the old one expires. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    private static final List<String> PAGES = List.of("game", "voting");
    private static final String RIGHTS = "[\"publish\",\"subscribe\",\"presence\",\"history\",\"lead\"]";
    private static final Pattern CLIENT_ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private final String keyName;
    private final Algorithm algorithm;
    private final Set<String> demoChannels;

    /**
     * Creates the signer.
     *
     * @param key the hub's key, {@code appId.keyId:secret}
     * @param counter the channel of the counter
     */
    PageTokens(String key, String counter) {
        int colon = key.indexOf(':');
        keyName = key.substring(0, colon);
        algorithm = Algorithm.HMAC256(key.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
        demoChannels = Stream.concat(Stream.of(counter), PAGES.stream()).collect(Collectors.toSet());
    }

    /** Returns true if a token can have this client id: 1 to 100 letters, digits and {@code . _ : -}. */
    static boolean isClientId(String text) {
        return CLIENT_ID.matcher(text).matches();
    }

    /** Returns true if these pages may lead the channel. */
    boolean mayLead(Audience audience, String channel) {
        return audience == Audience.LOOPBACK || demoChannels.contains(channel);
    }

    /** Returns a token for a page with this client id on this channel. The caller has checked both. */
    String sign(String clientId, String channel, Instant now) {
        return JWT.create()
                .withKeyId(keyName)
                .withIssuedAt(now)
                .withExpiresAt(now.plus(LIFETIME))
                .withClaim("x-ably-capability", "{\"" + channel + "\":" + RIGHTS + "}")
                .withClaim("x-ably-clientId", clientId)
                .sign(algorithm);
    }
}
