package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The dialect of PostgreSQL from version 12 on. */
final class Postgres extends Dialect {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_COLUMN = "42703";
    private static final String INVALID_SCHEMA = "3F000";

    @Override
    String product() {
        return "PostgreSQL";
    }

    @Override
    String urlPrefix() {
        return "jdbc:postgresql:";
    }

    @Override
    String driver() {
        return "org.postgresql:postgresql";
    }

    @Override
    String leaseTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (name text COLLATE \"C\" PRIMARY KEY, revision bigint NOT NULL, record text NOT NULL)";
    }

    @Override
    String fenceTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (resource text COLLATE \"C\" PRIMARY KEY, term bigint NOT NULL)";
    }

    @Override
    LeaseTable leases(JdbcSettings settings) {
        return new PostgresLeaseTable(this, settings);
    }

    @Override
    TermTable terms(String table) {
        return new TermTable.Upserting(this, table);
    }

    @Override
    void configureDriver(JdbcUrl url, JdbcSettings settings, Properties properties) {
        String seconds = Integer.toString(settings.timeoutSeconds());
        properties.putIfAbsent("connectTimeout", seconds);
        properties.putIfAbsent("loginTimeout", seconds);
        // This timeout is longer than the store's own timeout, so the store's own timeout applies first.
        properties.putIfAbsent("socketTimeout", Integer.toString(settings.timeoutSeconds() + 1));
        properties.putIfAbsent("cancelSignalTimeout", seconds);
        properties.putIfAbsent("tcpKeepAlive", "true");
        properties.putIfAbsent("ApplicationName", "doyen");
        if (url.driverUrl().replaceFirst("\\?.*", "").contains(",")) {
            properties.putIfAbsent("targetServerType", "primary");
        }
    }

    /** Turns synchronous commit on for this session if it is off. */
    @Override
    void prepare(Connection connection) throws SQLException {
        execute(
                connection,
                "SELECT set_config('synchronous_commit', 'on', false)"
                        + " WHERE current_setting('synchronous_commit') = 'off'");
    }

    @Override
    String fingerprint(Connection connection) throws SQLException {
        String[] answer = query(
                        connection,
                        "SELECT pg_is_in_recovery()::text || ' ' || system_identifier FROM pg_control_system()")
                .split(" ", 2);
        refuseStandby(answer[0]);
        return answer[1];
    }

    @Override
    Findings examine(Connection connection, JdbcSettings settings) throws SQLException {
        refuseStandby(query(connection, "SELECT pg_is_in_recovery()::text"));
        Map<String, String> server = settings(connection);
        if (server.getOrDefault("transaction_read_only", "").equals("on")) {
            throw new StoreUnavailableException(
                    "PostgreSQL accepts no writes on this connection (transaction_read_only is"
                            + " on); let the user or the database have default_transaction_read_only = off");
        }
        var findings = new Findings("every process that reaches this PostgreSQL primary");
        if (server.getOrDefault("fsync", "").equals("off")) {
            findings.notDurable(
                    "fsync is off: a crash of the machine may lose terms, or the whole database; set fsync ="
                            + " on in postgresql.conf");
        }
        if (server.getOrDefault("full_page_writes", "").equals("off")) {
            findings.notDurable("full_page_writes is off: a crash of the machine may leave a torn page in the lease"
                    + " table; set full_page_writes = on in postgresql.conf");
        }
        String commit = server.getOrDefault("synchronous_commit", "");
        if (commit.equals("off")) {
            findings.notDurable("synchronous_commit is off: a crash of the server loses the latest confirmed terms; set"
                    + " synchronous_commit = on for this user or database, or open the store by URL, which sets it");
        }
        boolean copies = Integer.parseInt(query(connection, "SELECT count(*) FROM pg_stat_replication")) > 0;
        if (copies && (server.getOrDefault("synchronous_standby_names", "").isEmpty() || commit.equals("local"))) {
            findings.remark(
                    "a standby follows asynchronously (synchronous_standby_names, synchronous_commit = " + commit
                            + "): promoting it may lose the latest confirmed terms; name it in"
                            + " synchronous_standby_names");
        }
        if (!server.getOrDefault("server_encoding", "").equals("UTF8")) {
            findings.remark("server_encoding is " + server.get("server_encoding")
                    + ": names of elections and candidates with characters outside this encoding are"
                    + " rejected; use a UTF8 database");
        }
        return findings;
    }

    @Override
    boolean isDuplicate(SQLException fault) {
        return "23505".equals(fault.getSQLState());
    }

    /** Returns true for an SQLSTATE that PostgreSQL reports only after a rollback. */
    @Override
    boolean isMissingRight(SQLException fault) {
        return inClass(fault, INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE, UNDEFINED_COLUMN, INVALID_SCHEMA);
    }

    @Override
    boolean didNothing(SQLException fault) {
        return inClass(fault, "22", "23", "40") && !"40003".equals(fault.getSQLState());
    }

    private static Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, setting FROM pg_settings WHERE name IN ('fsync',"
                        + " 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'server_encoding',"
                        + " 'transaction_read_only')")) {
            while (rows.next()) {
                found.put(text(rows.getString(1)), text(rows.getString(2)));
            }
        }
        return found;
    }

    private static void refuseStandby(String inRecovery) {
        if (inRecovery.equals("true")) {
            throw new StoreUnavailableException(
                    "this PostgreSQL is a standby (pg_is_in_recovery), which takes no writes;"
                            + " name the primary, or all hosts and targetServerType=primary");
        }
    }
}
