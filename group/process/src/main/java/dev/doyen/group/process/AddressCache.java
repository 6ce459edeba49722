package dev.doyen.group.process;

import java.security.Security;
import java.util.Optional;

/** Sets how long this JVM caches the addresses of a host name. */
public final class AddressCache {

    /** Members look for each other every few seconds, so a longer time would save no query. */
    private static final String SECONDS = "1";

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    /** The value in the java.security file of JDKs. They set no value for successful lookups, which means 30 s. */
    private static final String SHIPPED_NOT_FOUND = "10";

    private AddressCache() {}

    /**
     * Makes the JVM cache lookups for one second.
     *
     * <p>By default Java caches an address for 30 s, and a failed lookup for 10 s. For that long, two pods that started
     * while the name had only one of them would not find each other. Values that the user has set in
     * {@code java.security} or with {@code sun.net.inetaddr.ttl} stay.
     *
     * <p>Only programs may call this, before their first lookup, because Java reads the values once. A library must not
     * decide this for its process.
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
