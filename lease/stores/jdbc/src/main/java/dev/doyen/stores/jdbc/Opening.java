package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a store: finds the dialect, ensures the table and checks the server's settings. */
final class Opening {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /**
     * The time after which a step of opening the store is not repeated. This time is longer than the default timeout of
     * a call, because a busy or new server answers late.
     */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(10);

    private Opening() {}

    static JdbcLeaseStore byUrl(String url, Properties forDriver, JdbcSettings base) {
        JdbcUrl parsed = JdbcUrl.parse(url, base);
        Dialect dialect = parsed.dialect();
        String driverUrl = dialect.driverUrl(parsed);
        DriverFaults faults = DriverFaults.ofUrl(url, parsed, forDriver);
        Driver driver = driver(dialect, driverUrl);
        var properties = new Properties();
        forDriver.stringPropertyNames().forEach(name -> properties.setProperty(name, forDriver.getProperty(name)));
        dialect.configureDriver(parsed, parsed.settings(), properties);
        // Values in the URL take precedence over the store's values. Not every driver gives the URL precedence over the
        // properties. So remove the properties that the URL sets, except the properties that the application supplied.
        properties.stringPropertyNames().stream()
                .filter(name -> parsed.hasParameter(name) && !forDriver.containsKey(name))
                .forEach(properties::remove);
        var opener = new SameServer(dialect, () -> connect(dialect, driver, driverUrl, properties));
        JdbcSettings settings = parsed.settings();
        var calls = new BoundedCalls(
                Connections.own(opener), dialect.connections(settings.connections()), settings.timeout());
        return open(calls, opener, dialect, settings, faults);
    }

    static JdbcLeaseStore byPool(DataSource pool, JdbcSettings settings) {
        DriverFaults faults = DriverFaults.ofDataSource();
        Connections.Opener opener = pool::getConnection;
        Dialect dialect;
        try {
            var first = new BoundedCalls(Connections.pooled(opener), 1, settings.timeout());
            try (first) {
                dialect = untilAnswered(first, (connection, deadline) -> Dialects.of(connection));
            }
        } catch (SQLException e) {
            String sentence = "the pool returns no connection: " + faults.describe(e);
            throw Dialect.isInClass(e, Dialect.INVALID_AUTHORIZATION)
                    ? new StoreRefusedException(sentence, "check the user and the password of the pool", null)
                    : new StoreUnavailableException(sentence);
        }
        var calls = new BoundedCalls(
                Connections.pooled(opener), dialect.connections(settings.connections()), settings.timeout());
        return open(calls, opener, dialect, settings, faults);
    }

    private static JdbcLeaseStore open(
            BoundedCalls calls,
            Connections.Opener opener,
            Dialect dialect,
            JdbcSettings settings,
            DriverFaults faults) {
        LeaseTable table = dialect.leases(settings);
        try {
            // Examine the server before the table is created. A standby server cannot create a table, and its own error
            // message is less clear.
            Findings findings = untilAnswered(calls, (connection, deadline) -> dialect.examine(connection, settings));
            untilAnswered(calls, (connection, deadline) -> {
                TableCreation.ensure(
                        connection,
                        settings.table(),
                        settings.createTable(),
                        dialect.leaseTable(settings.table()),
                        table::probe,
                        dialect,
                        faults);
                return true;
            });
            findings.remarks()
                    .forEach(remark -> LOG.log(Level.WARNING, "leases in " + dialect.product() + ": " + remark));
            return new JdbcLeaseStore(
                    table, calls, notices(calls, opener, dialect, settings, faults), faults, findings);
        } catch (SQLException e) {
            calls.close();
            throw new FailedStatement(dialect, settings.table(), faults)
                    .exception("leases cannot be stored in this " + dialect.product(), e);
        } catch (RuntimeException e) {
            calls.close();
            throw e;
        }
    }

    /**
     * Runs the work, and repeats it after each timeout. After {@link #OPENED_WITHIN}, the next timeout makes the method
     * fail. The work must be safe to repeat.
     */
    private static <T> T untilAnswered(BoundedCalls calls, BoundedCalls.Work<T> work) throws SQLException {
        long start = System.nanoTime();
        while (true) {
            try {
                return calls.call(work);
            } catch (SQLTimeoutException e) {
                if (System.nanoTime() - start > OPENED_WITHIN.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /** Returns the listener for notifications; empty unless both the database and the driver are PostgreSQL's. */
    private static Optional<PostgresNotices> notices(
            BoundedCalls calls, Connections.Opener opener, Dialect dialect, JdbcSettings settings, DriverFaults faults)
            throws SQLException {
        if (!(dialect instanceof Postgres)) {
            return Optional.empty();
        }
        boolean listens;
        try {
            Class<?> postgres = Class.forName("org.postgresql.PGConnection");
            listens = calls.call((connection, deadline) -> connection.isWrapperFor(postgres));
        } catch (ClassNotFoundException e) {
            listens = false;
        }
        return listens
                ? Optional.of(
                        new PostgresNotices(opener, PostgresLeaseTable.channel(settings), settings.timeout(), faults))
                : Optional.empty();
    }

    private static Driver driver(Dialect dialect, String driverUrl) {
        try {
            return DriverManager.getDriver(driverUrl);
        } catch (SQLException e) {
            // A later attempt would fail too, so this is no StoreUnavailableException.
            throw new IllegalArgumentException("there is no JDBC driver for " + dialect.urlPrefix()
                    + " on the class path; add " + dialect.driver());
        }
    }

    private static Connection connect(Dialect dialect, Driver driver, String url, Properties properties)
            throws SQLException {
        @Nullable Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver does not accept this URL");
        }
        try {
            dialect.prepare(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            Connections.closeQuietly(connection);
            throw e;
        }
    }
}
