package dev.doyen.hub.auth;

/**
 * An issued token, as its client receives it. The token appears in no {@code toString}.
 *
 * @param token opaque to the client
 * @param access what the token grants
 */
public record TokenDetails(String token, Access access) {

    @Override
    public String toString() {
        return "TokenDetails[" + access + "]";
    }
}
