package dev.doyen.stores.jdbc;

import dev.doyen.text.DurationText;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of a lease table. {@link #DEFAULT} contains the default values.
 *
 * @param table the name of the table, optionally with a schema, in letters, digits and underscores. The default is
 *     {@code doyen_lease}
 * @param createTable true if the store creates a missing table. The default is true
 * @param timeout the limit for each call to the database, from 100 ms to 1 min. One call can run several statements.
 *     After the timeout the outcome of a write is unknown. The default of 2 s is the request timeout of a lease with a
 *     ttl of 10 s
 * @param connections the number of calls that may be in progress at once, from 1 to 32. Each call uses its own
 *     connection. The default is 4 calls. SQLite always uses 1
 */
public record JdbcSettings(String table, boolean createTable, Duration timeout, int connections) {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
    private static final int MAX_CONNECTIONS = 32;

    /** The pattern of a table name. PostgreSQL's limit of 63 bytes is the lowest limit of all supported databases. */
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

    /** Checks that the name is safe to insert into a statement, and returns the name. */
    static String checkTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("the table is named \"" + table
                    + "\"; a name is made of 1 to 63 letters, digits and underscores, and may have a schema and a dot"
                    + " before it");
        }
        return table;
    }

    /**
     * Returns settings with another table name.
     *
     * @throws IllegalArgumentException if the name is invalid
     */
    public JdbcSettings withTable(String name) {
        return new JdbcSettings(name, createTable, timeout, connections);
    }

    /** Returns settings with this value of {@code createTable}. */
    public JdbcSettings withCreateTable(boolean create) {
        return new JdbcSettings(table, create, timeout, connections);
    }

    /**
     * Returns settings with another limit for each call to the database.
     *
     * @throws IllegalArgumentException if the timeout is not 100 ms to 1 min
     */
    public JdbcSettings withTimeout(Duration perRoundTrip) {
        return new JdbcSettings(table, createTable, perRoundTrip, connections);
    }

    /**
     * Returns settings with another number of calls that may be in progress at once.
     *
     * @throws IllegalArgumentException if the number is not 1 to 32
     */
    public JdbcSettings withConnections(int most) {
        return new JdbcSettings(table, createTable, timeout, most);
    }

    /**
     * Returns the timeout in whole seconds, rounded up. PostgreSQL's driver accepts connection and read timeouts only
     * in seconds.
     */
    int timeoutSeconds() {
        return (int) ((timeout.toMillis() + 999) / 1000);
    }

    /**
     * Returns the statement timeout in seconds.
     *
     * <p>This timeout is one second shorter than {@link #timeoutSeconds}, but at least one second. So if the timeout is
     * longer than 1 s, the server usually ends the statement before the caller's deadline.
     */
    int statementSeconds() {
        return Math.max(1, timeoutSeconds() - 1);
    }
}
