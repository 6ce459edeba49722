package dev.doyen.elector.http;

import java.util.regex.Pattern;

/** The machines that can reach a port. */
public enum Audience {
    /** Only this machine. */
    LOOPBACK,
    /** All machines that can reach the bound address. */
    NETWORK;

    private static final Pattern LOOPBACK_HOST =
            Pattern.compile("(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    /**
     * Whether a request with this Host header comes from this machine, judged by the header alone.
     *
     * <p>A foreign page cannot read responses across origins. But its own domain name may resolve to this machine (DNS
     * rebinding), which makes the response same-origin. So on loopback, only requests for a loopback name are trusted.
     */
    public boolean knows(String host) {
        return this == LOOPBACK && LOOPBACK_HOST.matcher(host).matches();
    }
}
