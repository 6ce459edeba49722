package dev.doyen.hub.auth;

/**
 * An issued token, as its client receives it. The {@code toString} method omits the token.
 *
 * @param token the token text, which is opaque to the client
 * @param access the rights that the token grants
 */
public record TokenDetails(String token, Access access) {

    @Override
    public String toString() {
        return "TokenDetails[" + access + "]";
    }
}
