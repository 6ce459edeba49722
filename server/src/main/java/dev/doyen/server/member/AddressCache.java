package dev.doyen.server.member;

import java.security.Security;
import java.util.Optional;

/** How long this process remembers what the addresses of a name are. */
public final class AddressCache {

    /** Members are looked for every few seconds, so more would not be asked less. */
    private static final String SECONDS = "1";

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    /** What JDKs are shipped with, in a file; for what was found there is nothing, which means 30 s. */
    private static final String SHIPPED_NOT_FOUND = "10";

    private AddressCache() {}

    /**
     * From now on a name is asked for again after a second. Java would remember an answer for 30 s, and for 10 s that there was
     * none: so long two pods that began when the name had each alone would not look for each other. What is set otherwise, by
     * {@code java.security} or by {@code sun.net.inetaddr.ttl}, stays.
     *
     * <p>For programs, before they look for the first name: Java reads it once. A library must not decide this for the process
     * it is in.
     */
    public static void shorten() {
        set(FOUND, Optional.empty(), "sun.net.inetaddr.ttl");
        set(NOT_FOUND, Optional.of(SHIPPED_NOT_FOUND), "sun.net.inetaddr.negative.ttl");
    }

    private static void set(String name, Optional<String> shipped, String old) {
        if (System.getProperty(old) == null
                && Optional.ofNullable(Security.getProperty(name)).equals(shipped)) {
            Security.setProperty(name, SECONDS);
        }
    }
}
