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

/** Opens the PostgreSQL database that contains the batches and the booked payments. */
final class Database {

    private Database() {}

    /**
     * Connects to the database, and creates the tables of schema.sql if they are missing.
     *
     * @param patience the time after which the server ends an idle transaction. Without this limit, the open
     *     transaction of a suspended process or of a failed machine would block the other processes, because the
     *     transaction locks the fence and the batch
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
