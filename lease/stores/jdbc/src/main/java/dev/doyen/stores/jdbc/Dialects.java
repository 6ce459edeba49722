package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Finds the dialect of a URL or a connection. */
final class Dialects {

    private static final List<Dialect> ALL =
            List.of(new Postgres(), new Mysql("MariaDB"), new Mysql("MySQL"), new Sqlite(), new H2());

    private Dialects() {}

    /**
     * Returns the dialect for a URL.
     *
     * @throws IllegalArgumentException if the store does not support the database
     */
    static Dialect ofUrl(String url) {
        for (Dialect dialect : ALL) {
            if (url.startsWith(dialect.urlPrefix())) {
                return dialect;
            }
        }
        String[] parts = url.split(":", 3);
        // The message contains only the second part of the URL, because the other parts can contain a password.
        String kind = parts.length > 2 && parts[1].matches("\\w{1,20}") ? "jdbc:" + parts[1] + ":" : "this URL";
        throw new IllegalArgumentException("leases cannot be stored in " + kind
                + "; supported are jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql:, jdbc:sqlite: and jdbc:h2:");
    }

    /**
     * Returns the dialect of an open connection.
     *
     * @throws IllegalArgumentException if the store does not support the database
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (Dialect dialect : ALL) {
            if (dialect.product().equalsIgnoreCase(product)) {
                return dialect;
            }
        }
        throw new IllegalArgumentException(
                "leases cannot be stored in " + product + "; supported are PostgreSQL, MariaDB, MySQL, SQLite and H2");
    }
}
