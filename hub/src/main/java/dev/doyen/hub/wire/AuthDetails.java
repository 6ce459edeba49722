package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/** What a client proves itself with on a live connection. The token is in no {@code toString}. */
public record AuthDetails(@Nullable String accessToken) {

    @Override
    public String toString() {
        return "AuthDetails[]";
    }
}
