package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the values that {@link AddressCache} sets. A test in testing/chaos/ with separate processes tests the effect of
 * the values.
 */
final class AddressCacheTest {

    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String NOT_FOUND = "networkaddress.cache.negative.ttl";

    private final Optional<String> found = Optional.ofNullable(Security.getProperty(FOUND));
    private final Optional<String> notFound = Optional.ofNullable(Security.getProperty(NOT_FOUND));

    @AfterEach
    void restore() {
        found.ifPresent(seconds -> Security.setProperty(FOUND, seconds));
        notFound.ifPresent(seconds -> Security.setProperty(NOT_FOUND, seconds));
        System.clearProperty("sun.net.inetaddr.negative.ttl");
    }

    @Test
    void the_default_cache_time_of_the_jdk_becomes_a_second() {
        Security.setProperty(NOT_FOUND, "10");
        AddressCache.shorten();
        assertThat(Security.getProperty(FOUND)).isEqualTo(found.orElse("1"));
        assertThat(Security.getProperty(NOT_FOUND)).isEqualTo("1");
    }

    @Test
    void a_configured_cache_time_is_kept() {
        Security.setProperty(FOUND, "7");
        Security.setProperty(NOT_FOUND, "3");
        AddressCache.shorten();
        assertThat(Security.getProperty(FOUND)).isEqualTo("7");
        assertThat(Security.getProperty(NOT_FOUND)).isEqualTo("3");

        Security.setProperty(NOT_FOUND, "10");
        System.setProperty("sun.net.inetaddr.negative.ttl", "10");
        AddressCache.shorten();
        assertThat(Security.getProperty(NOT_FOUND)).isEqualTo("10");
    }
}
