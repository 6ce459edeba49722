package dev.doyen.server.nodes;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How this hub finds the others.
 *
 * @param redisUrl as Lettuce reads it: {@code redis://[user:password@]host[:port][/database]}, {@code rediss://} for TLS
 * @param name which hub this is a node of: all nodes of one hub have the same
 * @param ttl how long a node may be silent before the others take it for dead
 * @param logEntries how many entries the log keeps, about: what a node that was away reads
 * @param answersKept how many answers are kept for who resumes
 * @param stateKept how long a connection can be resumed, also as long as its messages' ids are known
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
                    + "\" is none for a hub; give 1 to 64 of letters, digits, dots, underscores and hyphens");
        }
        if (!isRedis(redisUrl)) {
            throw new IllegalArgumentException(
                    "the URL of the nodes' Redis is none; write it like redis://HOST:PORT, or rediss:// for TLS");
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

    /** The stream, by which all other keys begin. */
    String log() {
        return "{doyen-hub:" + name + "}:log";
    }

    /** The URL without what a log must not have. */
    public String shownUrl() {
        return redisUrl.replaceFirst("//[^@/]*@", "//...@");
    }

    /** Without the URL, which may have a password. */
    @Override
    public String toString() {
        return "NodeSettings[" + name + ", " + ttl + "]";
    }
}
