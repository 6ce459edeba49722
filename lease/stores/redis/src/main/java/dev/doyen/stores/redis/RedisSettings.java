package dev.doyen.stores.redis;

import dev.doyen.store.support.StoreUrl;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import java.io.File;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings for access to a Redis server, parsed from a URL.
 *
 * @param prefix the beginning of the store's keys
 * @param timeout the limit for each call and for connecting
 * @param ca a PEM file with the server's certificate authorities; empty for the system's authorities
 */
record RedisSettings(StoreUrl url, String prefix, int database, Duration timeout, Optional<File> ca) {

    static RedisSettings of(String text) {
        boolean tls = text.startsWith("rediss:");
        Set<String> known = tls ? Set.of("timeout-millis", "database", "ca") : Set.of("timeout-millis", "database");
        StoreUrl url = StoreUrl.parse(text, 6379, known);
        if (url.hosts().size() > 1) {
            throw new IllegalArgumentException(
                    url.scheme() + ": names " + url.hosts().size()
                            + " hosts; a lease needs one server, because replicas of Redis may lack confirmed writes");
        }
        String database = url.parameter("database").orElse("0");
        if (!database.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException(
                    url.scheme() + ": database is a number such as 0, but it is \"" + database + "\"");
        }
        String prefix = url.path().isEmpty() ? "doyen" : url.path().substring(1);
        return new RedisSettings(
                url,
                prefix,
                Integer.parseInt(database),
                url.millis("timeout-millis", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(1)),
                url.parameter("ca").map(File::new));
    }

    RedisURI uri() {
        StoreUrl.Host host = url.hosts().get(0);
        var builder = RedisURI.builder()
                .withHost(host.name().replaceAll("[\\[\\]]", ""))
                .withPort(host.port())
                .withDatabase(database)
                .withSsl(url.scheme().equals("rediss"))
                .withTimeout(timeout);
        url.login().ifPresent(login -> {
            if (login.user().isEmpty()) {
                builder.withPassword(login.password().toCharArray());
            } else {
                builder.withAuthentication(login.user(), login.password().toCharArray());
            }
        });
        return builder.build();
    }

    /**
     * Returns the name of the notification channel. The name contains the number of the database, because all databases
     * of a server share the channels.
     */
    String channel() {
        return prefix + ":changes@" + database;
    }

    /** Returns the threads and timers of one client. The caller must shut them down. */
    ClientResources resources() {
        return ClientResources.builder()
                .nettyCustomizer(SilentConnection.afterEach(timeout))
                .build();
    }

    /**
     * Returns options with which Lettuce sends each command at most once.
     *
     * <p>By default Lettuce queues commands while it is disconnected. After a reconnection, Lettuce also repeats every
     * command without an answer. So the server could carry out a renewal long after the caller's timeout. With these
     * options Lettuce neither queues nor repeats commands. If a write gets no answer, its outcome is unknown.
     */
    ClientOptions options() {
        var ssl = SslOptions.builder();
        ca.ifPresent(ssl::trustManager);
        return ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(1024)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .sslOptions(ssl.build())
                .build();
    }
}
