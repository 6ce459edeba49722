package dev.doyen.hub.auth;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Another server whose tokens the hub accepts.
 *
 * @param name the name of the issuer in logs and error messages
 * @param issuer the required value of the JWT claim {@code iss}; null if the hub does not check the claim
 * @param audience a value that the JWT claim {@code aud} must contain; null if the hub does not check the claim
 * @param capability the operations that the tokens may allow at most
 */
public record TrustedIssuer(
        String name, @Nullable String issuer, @Nullable String audience, Capability capability) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");

    /** Throws {@link IllegalArgumentException} if the name is invalid. */
    public TrustedIssuer {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a token issuer has 1 to 40 letters, digits and any of - _; give it another name");
        }
    }

    /** Returns the name of a key of this issuer. It differs from the names of API keys, which contain no colon. */
    String keyName(String kid) {
        return name + ":" + kid;
    }
}
