package dev.doyen.hub.auth;

import com.auth0.jwt.interfaces.DecodedJWT;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Verifies the tokens of the issuers that the hub trusts. */
final class TrustedIssuers {

    /** The algorithms of issuers. The keys of the hub itself sign only with HS256. */
    private static final Set<String> ALGORITHMS = Set.of(IssuerKey.RS256, IssuerKey.ES256, IssuerKey.EDDSA);

    private final Map<String, TrustedIssuer> byName = new LinkedHashMap<>();
    private final Map<String, IssuerKeys> keys = new LinkedHashMap<>();
    /** The names of the issuers whose tokens have named unknown keys. */
    private final Set<String> unknownKeys = new HashSet<>();

    void trust(TrustedIssuer issuer, IssuerKeys known) {
        byName.put(issuer.name(), issuer);
        keys.put(issuer.name(), known);
    }

    boolean takeUnknownKey(String name) {
        return unknownKeys.remove(name);
    }

    KeyChange replaceKeys(String name, IssuerKeys next) {
        IssuerKeys former = known(name);
        keys.put(name, next);
        String prefix = Objects.requireNonNull(byName.get(name)).keyName("");
        return access -> {
            if (!access.keyName().startsWith(prefix)) {
                return Optional.of(access);
            }
            String kid = access.keyName().substring(prefix.length());
            return Objects.equals(former.find(kid), next.find(kid)) ? Optional.of(access) : Optional.empty();
        };
    }

    /** Returns true if an issuer, and not the hub itself, must have signed the token. */
    boolean concern(DecodedJWT jwt) {
        return !byName.isEmpty() && ALGORITHMS.contains(jwt.getAlgorithm());
    }

    /** Verifies the signature, the issuer and the audience of a token. */
    Signer verify(DecodedJWT jwt) throws Refusal {
        TrustedIssuer issuer = issuerOf(jwt);
        String kid = jwt.getKeyId() == null ? "" : jwt.getKeyId();
        IssuerKey key = known(issuer.name()).find(kid);
        if (key == null) {
            unknownKeys.add(issuer.name());
            throw new Refusal(
                    ErrorCode.TOKEN_UNKNOWN,
                    "the token's kid is " + (kid.isEmpty() ? "missing" : Quote.of(kid))
                            + ", which is no known key of the token issuer " + Quote.of(issuer.name())
                            + "; request another token");
        }
        if (!key.hasSigned(jwt)) {
            throw bad("is not signed by the key it names with " + key.algorithm());
        }
        if (issuer.audience() != null
                && (jwt.getAudience() == null || !jwt.getAudience().contains(issuer.audience()))) {
            throw bad("is not for the audience " + Quote.of(issuer.audience()) + " (claim aud)");
        }
        return new Signer(issuer.keyName(kid), AppChannels.NONE, issuer.capability());
    }

    private IssuerKeys known(String name) {
        return Objects.requireNonNull(keys.get(name), "the hub trusts the issuer");
    }

    private TrustedIssuer issuerOf(DecodedJWT jwt) throws Refusal {
        for (TrustedIssuer issuer : byName.values()) {
            if (issuer.issuer() == null || issuer.issuer().equals(jwt.getIssuer())) {
                return issuer;
            }
        }
        throw bad("is of " + (jwt.getIssuer() == null ? "an unnamed issuer" : "the issuer " + Quote.of(jwt.getIssuer()))
                + " (claim iss), which this hub does not trust");
    }

    private static Refusal bad(String sentence) {
        return new Refusal(ErrorCode.TOKEN_INVALID, "the token " + sentence);
    }
}
