package dev.doyen.stores.jdbc;

import dev.doyen.event.DurationText;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What can be set about a lease table. Start with {@link #DEFAULT}; change what you must.
 *
 * @param table the table's name, with its schema if need be; letters, digits and underscores. {@code doyen_lease}.
 * @param createTable whether the table is created if it is not there. True.
 * @param timeout within which each round trip ends, or is given up as unknown. 100 ms to 1 min, default 2 s: the
 *     request timeout of a lease of 10 s.
 * @param connections how many calls may be under way at once; each has a connection. 1 to 32, default 4.
 */
public record JdbcSettings(String table, boolean createTable, Duration timeout, int connections) {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
    private static final int MAX_CONNECTIONS = 32;

    /** PostgreSQL's 63 bytes are the least that any of the databases allows. */
    private static final Pattern TABLE = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,62}");

    public static final JdbcSettings DEFAULT = new JdbcSettings("doyen_lease", true, Duration.ofSeconds(2), 4);

    public JdbcSettings {
        checkTable(table);
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "timeout is " + DurationText.of(timeout) + "; its bounds are 100 ms and 1 min (60000 ms)");
        }
        if (connections < 1 || connections > MAX_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections is " + connections + "; its bounds are 1 and " + MAX_CONNECTIONS);
        }
    }

    /** A name that is safe to put into a statement as it is. */
    static String checkTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("the table is named \"" + table
                    + "\"; a name is made of 1 to 63 letters, digits and underscores, and may have a schema and a dot"
                    + " before it");
        }
        return table;
    }

    public JdbcSettings withTable(String name) {
        return new JdbcSettings(name, createTable, timeout, connections);
    }

    public JdbcSettings withCreateTable(boolean create) {
        return new JdbcSettings(table, create, timeout, connections);
    }

    public JdbcSettings withTimeout(Duration perRoundTrip) {
        return new JdbcSettings(table, createTable, perRoundTrip, connections);
    }

    public JdbcSettings withConnections(int most) {
        return new JdbcSettings(table, createTable, timeout, most);
    }

    /** Whole seconds, rounded up: what drivers count connecting and reading in. */
    int timeoutSeconds() {
        return (int) ((timeout.toMillis() + 999) / 1000);
    }

    /** When the server is asked to give a statement up: a second before the caller does, so that it is not left behind. */
    int statementSeconds() {
        return Math.max(1, timeoutSeconds() - 1);
    }
}
