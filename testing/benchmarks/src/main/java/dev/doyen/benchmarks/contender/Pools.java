package dev.doyen.benchmarks.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/** A connection pool with default settings (ten connections), as in a Spring Boot application. */
final class Pools {

    private Pools() {}

    static HikariDataSource open(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        return new HikariDataSource(config);
    }

    static void createTable(HikariDataSource pool, String ddl) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            // Without this lock, two processes that start together would create the table at the same time.
            statement.execute("SELECT pg_advisory_lock(1)");
            statement.execute(ddl);
            statement.execute("SELECT pg_advisory_unlock(1)");
        } catch (SQLException e) {
            throw new IllegalStateException("the table could not be created", e);
        }
    }
}
