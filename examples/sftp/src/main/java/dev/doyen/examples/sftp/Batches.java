package dev.doyen.examples.sftp;

import dev.doyen.stores.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The leader's access to the handed-out batches in the database.
 *
 * <p>Each write is a transaction that starts with a check of the fence. So a former leader writes nothing after the
 * next leader has written. Threads: one at a time, because this object has one connection.
 */
final class Batches implements AutoCloseable {

    /** The name under which the fence protects all writes of leaders. */
    static final String RESOURCE = "payments";

    private final JdbcFence fence;
    private final Connection connection;

    Batches(DataSource database) throws SQLException {
        fence = JdbcFence.open(database);
        connection = database.getConnection();
        connection.setAutoCommit(false);
    }

    /**
     * Hands out a batch, unless a batch with the same file and first row was handed out before.
     *
     * <p>An earlier leader can hand out the batch and end before it saves the position.
     *
     * @param next the position in the file after the batch
     * @return the position after the batch, as this call or an earlier call stored it in the table
     * @throws dev.doyen.fence.StaleTermException if a later leader has written
     */
    Position handOut(Batch batch, Position next, long term) throws SQLException {
        return fenced(term, () -> {
            if (insert(batch, next, term) == 1) {
                return next;
            }
            return handedOut(batch);
        });
    }

    private int insert(Batch batch, Position next, long term) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO import_batch (file, first_row, next_row, next_offset, rows, term)"
                        + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (file, first_row) DO NOTHING")) {
            insert.setString(1, batch.file());
            insert.setLong(2, batch.firstRow());
            insert.setLong(3, next.row());
            insert.setLong(4, next.offset());
            insert.setArray(5, connection.createArrayOf("text", batch.rows().toArray()));
            insert.setLong(6, term);
            return insert.executeUpdate();
        }
    }

    private Position handedOut(Batch batch) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT next_row, next_offset FROM import_batch WHERE file = ? AND first_row = ?")) {
            select.setString(1, batch.file());
            select.setLong(2, batch.firstRow());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new Position(batch.file(), row.getLong(1), row.getLong(2));
            }
        }
    }

    /** Records that all rows of a file were handed out. */
    void finish(Position end, long term) throws SQLException {
        fenced(term, () -> {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO import_file (name, rows, term) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING")) {
                insert.setString(1, end.file());
                insert.setLong(2, end.row() - 1);
                insert.setLong(3, term);
                return insert.executeUpdate();
            }
        });
    }

    /** Returns true if all rows of the file were handed out. */
    boolean isFinished(String file) throws SQLException {
        return count("SELECT count(*) FROM import_file WHERE name = ?", file) == 1;
    }

    /** Returns the number of batches of a file that wait to be booked. */
    long open(String file) throws SQLException {
        return count("SELECT count(*) FROM import_batch WHERE rows IS NOT NULL AND file = ?", file);
    }

    private long count(String sql, String file) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, file);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } finally {
            connection.rollback();
        }
    }

    private <T> T fenced(long term, Work<T> work) throws SQLException {
        try {
            fence.admit(connection, RESOURCE, term);
            T result = work.run();
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private interface Work<T> {
        T run() throws SQLException;
    }
}
