package dev.doyen.examples.sftp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The PostgreSQL in which batches wait and payments are booked. */
final class Database {

    private Database() {}

    /**
     * Connects, and creates the tables of schema.sql if they are missing.
     *
     * @param patience time after which the server ends an idle transaction. A process that is frozen, or whose machine
     *     has died, would otherwise keep the fence and its batch locked
     */
    static DataSource open(String url, Duration patience) throws IOException, SQLException {
        var database = new PGSimpleDataSource();
        database.setUrl(url);
        database.setOptions("-c idle_in_transaction_session_timeout=" + patience.toMillis());
        try (InputStream schema = Database.class.getResourceAsStream("schema.sql");
                Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            if (schema == null) {
                throw new IllegalStateException("schema.sql is not on the class path");
            }
            statement.execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
        }
        return database;
    }
}
