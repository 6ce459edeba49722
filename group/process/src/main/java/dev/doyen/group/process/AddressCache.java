package dev.doyen.group.process;

import java.security.Security;
import java.util.Optional;

/** Sets how long this JVM caches the addresses of a host name. */
public final class AddressCache {

    /**
     * The cache time in seconds. Members resolve the name only every few seconds, so a slightly longer time would not
     * save queries.
     */
    private static final String SECONDS = "1";

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    /**
     * The value for failed lookups in the java.security file of a JDK. The file sets no value for successful lookups,
     * and Java then uses 30 s.
     */
    private static final String SHIPPED_NOT_FOUND = "10";

    private AddressCache() {}

    /**
     * Limits the time for which the JVM caches a lookup to one second.
     *
     * <p>By default Java caches an address for 30 s, and a failed lookup for 10 s. Suppose that two pods start while
     * their common host name has the address of only one pod. Then a pod that has looked up the name receives the other
     * address from DNS only after its cached lookup has expired. This method does not change a value that the user has
     * set with {@code sun.net.inetaddr.ttl} or {@code sun.net.inetaddr.negative.ttl}. It also does not change a value
     * in {@code java.security} that differs from the JDK's own file. That file contains 10 s for a failed lookup, so a
     * user who wants 10 s must set {@code sun.net.inetaddr.negative.ttl}.
     *
     * <p>Only a program may call this method, because a library must not change the cache of its process. The program
     * must call this method before its first lookup, because Java reads the values only once.
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
