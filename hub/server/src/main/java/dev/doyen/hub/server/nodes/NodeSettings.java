package dev.doyen.hub.server.nodes;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings with which this node finds the other nodes of its hub.
 *
 * @param redisUrl the URL for Lettuce: {@code redis://[user:password@]host[:port][/database]}, or {@code rediss://} for
 *     TLS
 * @param name the name of the hub, the same on all its nodes
 * @param ttl the time of silence after which the other nodes evict a node
 * @param logEntries the approximate maximum number of entries in the log; a node that reconnects reads the entries
 *     that it missed, or joins again if the log no longer contains all of them
 * @param answersKept the maximum number of stored answers for each connection that can be resumed
 * @param stateKept the time for which a connection can be resumed and the ids of its messages are stored
 */
public record NodeSettings(
        String redisUrl, String name, Duration ttl, int logEntries, int answersKept, Duration stateKept) {

    public static final Duration MIN_TTL = Duration.ofSeconds(1);
    public static final Duration MAX_TTL = Duration.ofMinutes(2);
    public static final int MIN_LOG_ENTRIES = 1_000;
    public static final int MAX_LOG_ENTRIES = 10_000_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public NodeSettings {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name \"" + name
                    + "\" is not a valid name of a hub; give 1 to 64 letters, digits, dots, underscores and hyphens");
        }
        if (!isRedis(redisUrl)) {
            throw new IllegalArgumentException(
                    "the value for the nodes' Redis is not a URL; write it like redis://HOST:PORT, or rediss:// for TLS");
        }
    }

    private static boolean isRedis(String url) {
        try {
            URI uri = new URI(url);
            return Set.of("redis", "rediss").contains(String.valueOf(uri.getScheme())) && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns the key of the log stream. It is also the prefix of all other keys. */
    String log() {
        return "{doyen-hub:" + name + "}:log";
    }

    /** Returns the URL without the credentials, for logs. */
    public String shownUrl() {
        return redisUrl.replaceFirst("//[^@/]*@", "//...@");
    }

    /** Returns a text without the URL, because the URL can contain a password. */
    @Override
    public String toString() {
        return "NodeSettings[" + name + ", " + ttl + "]";
    }
}
