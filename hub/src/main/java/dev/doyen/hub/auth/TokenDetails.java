package dev.doyen.hub.auth;

/**
 * A token as its client is told of it. It is in no {@code toString}.
 *
 * @param token opaque to its client
 * @param access what it is good for
 */
public record TokenDetails(String token, Access access) {

    @Override
    public String toString() {
        return "TokenDetails[" + access + "]";
    }
}
