package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/** The credentials in an AUTH frame. The {@code toString} method omits the token. */
public record AuthDetails(@Nullable String accessToken) {

    @Override
    public String toString() {
        return "AuthDetails[]";
    }
}
