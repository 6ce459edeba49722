package dev.doyen.examples.sftp;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The work of every process, including the leader: takes batches and books their rows.
 *
 * <p>One transaction takes a batch, books its rows and marks it as done. So if the process is killed, it has booked
 * either all rows of the batch or none. Threads: one at a time, because this object has one connection.
 */
final class Clerk implements AutoCloseable {

    private static final int PAUSE_MILLIS = 50;

    private final Connection connection;
    private final String id;

    Clerk(DataSource database, String id) throws SQLException {
        this.connection = database.getConnection();
        this.id = id;
        connection.setAutoCommit(false);
    }

    /** Books batches until an exception ends the loop. */
    void run() throws SQLException, InterruptedException {
        while (true) {
            if (!bookOne()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** Books one batch. Returns false if no batch waits. */
    boolean bookOne() throws SQLException {
        try {
            Optional<Batch> taken = take();
            if (taken.isPresent()) {
                book(taken.get());
                addUp(taken.get());
                tickOff(taken.get());
            }
            connection.commit();
            return taken.isPresent();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    /** Takes the oldest batch that no other process has taken. */
    private Optional<Batch> take() throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT file, first_row, rows FROM import_batch"
                        + " WHERE rows IS NOT NULL ORDER BY handed LIMIT 1 FOR UPDATE SKIP LOCKED");
                ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            Array rows = row.getArray(3);
            return Optional.of(new Batch(row.getString(1), row.getLong(2), List.of((String[]) rows.getArray())));
        }
    }

    /**
     * Books the rows of a batch. If a row was already booked, the key of the table rejects the row, and no row of the
     * batch is booked.
     */
    private void book(Batch batch) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO payment (file, row, account, cents, fault, booked_by) VALUES (?, ?, ?, ?, ?, ?)")) {
            long number = batch.firstRow();
            for (String row : batch.rows()) {
                Payment payment = Payment.parse(row);
                insert.setString(1, batch.file());
                insert.setLong(2, number++);
                insert.setString(3, payment.account());
                insert.setLong(4, payment.cents());
                if (payment.fault().isEmpty()) {
                    insert.setNull(5, Types.VARCHAR);
                } else {
                    insert.setString(5, payment.fault());
                }
                insert.setString(6, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Adds the amounts to the balances. The accounts are updated in order, so that two clerks do not deadlock. */
    private void addUp(Batch batch) throws SQLException {
        try (PreparedStatement add = connection.prepareStatement("INSERT INTO balance (account, cents)"
                + " SELECT account, sum(cents) FROM payment WHERE file = ? AND row >= ? AND row < ? AND fault IS NULL"
                + " GROUP BY account ORDER BY account"
                + " ON CONFLICT (account) DO UPDATE SET cents = balance.cents + excluded.cents")) {
            add.setString(1, batch.file());
            add.setLong(2, batch.firstRow());
            add.setLong(3, batch.firstRow() + batch.rows().size());
            add.executeUpdate();
        }
    }

    private void tickOff(Batch batch) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE import_batch SET rows = NULL WHERE file = ? AND first_row = ?")) {
            update.setString(1, batch.file());
            update.setLong(2, batch.firstRow());
            update.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
