package dev.doyen.stores.jdbc;

import dev.doyen.postgresserver.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/**
 * The databases that the tests use. Each server starts with the first test that needs the server, and ends with the
 * JVM.
 */
enum Database {
    POSTGRESQL {
        @Override
        String url() {
            return Servers.postgres().url();
        }

        @Override
        DataSource dataSource() {
            return postgres("");
        }
    },
    MARIADB {
        @Override
        String url() {
            return Servers.mariadb().url();
        }

        @Override
        DataSource dataSource() throws SQLException {
            return new MariaDbDataSource(url());
        }
    },
    SQLITE {
        @Override
        String url() {
            return "jdbc:sqlite:" + Servers.DIRECTORY.resolve("leases.db");
        }

        @Override
        DataSource dataSource() {
            var pool = new SQLiteDataSource();
            pool.setUrl("jdbc:sqlite:" + Servers.DIRECTORY.resolve("data.db") + "?journal_mode=WAL");
            return pool;
        }
    },
    H2 {
        @Override
        String url() {
            return "jdbc:h2:" + Servers.DIRECTORY.resolve("leases") + ";USER=sa";
        }

        @Override
        DataSource dataSource() {
            var pool = new JdbcDataSource();
            pool.setURL("jdbc:h2:" + Servers.DIRECTORY.resolve("data") + ";DB_CLOSE_DELAY=-1");
            pool.setUser("sa");
            return pool;
        }
    };

    abstract String url();

    abstract DataSource dataSource() throws SQLException;

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Returns a PostgreSQL pool whose sessions start with these options. */
    static DataSource postgres(String options) {
        var pool = new PGSimpleDataSource();
        pool.setUrl(Servers.postgres().url());
        pool.setOptions(options);
        return pool;
    }

    String version() {
        try (Connection connection = connect()) {
            return connection.getMetaData().getDatabaseProductVersion().replaceFirst("[ -].*", "");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The servers that all tests of this JVM share. */
    static final class Servers {

        static final Path DIRECTORY = directory();

        private static Optional<PostgresServer> postgres = Optional.empty();
        private static Optional<MariadbServer> mariadb = Optional.empty();

        private Servers() {}

        static synchronized PostgresServer postgres() {
            if (postgres.isEmpty()) {
                try {
                    postgres = Optional.of(PostgresServer.start(
                            DIRECTORY.resolve("pg" + UUID.randomUUID()), 0, Map.of("max_connections", "200")));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return postgres.orElseThrow();
        }

        static synchronized MariadbServer mariadb() {
            if (mariadb.isEmpty()) {
                try {
                    var server = new MariadbServer(DIRECTORY.resolve("mariadb"));
                    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
                    mariadb = Optional.of(server);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
            return mariadb.orElseThrow();
        }

        private static Path directory() {
            try {
                return Files.createDirectories(Path.of(
                                "target",
                                "databases",
                                UUID.randomUUID().toString().substring(0, 8))
                        .toAbsolutePath());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
