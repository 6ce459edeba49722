package dev.doyen.server.http;

import java.util.regex.Pattern;

/** Who can reach what is served. */
public enum Audience {
    /** This machine only. */
    LOOPBACK,
    /** Whoever can reach the address it was bound to. */
    NETWORK;

    private static final Pattern LOOPBACK_HOST =
            Pattern.compile("(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    /**
     * Whether who asked for this host is one of the audience by that alone. A foreign page cannot read across origins,
     * but a name of its own that resolves to this machine would make it the same origin; so, on loopback, only who asked
     * for a loopback name is of this machine.
     */
    public boolean knows(String host) {
        return this == LOOPBACK && LOOPBACK_HOST.matcher(host).matches();
    }
}
