package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens connections, and rejects those that lead to another server than the first.
 *
 * <p>Another server may not have the terms.
 */
final class SameServer implements Connections.Opener {

    private final Dialect dialect;
    private final Connections.Opener opener;
    private String known = "";

    SameServer(Dialect dialect, Connections.Opener opener) {
        this.dialect = dialect;
        this.opener = opener;
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = opener.open();
        try {
            check(dialect.fingerprint(connection));
            return connection;
        } catch (SQLException | RuntimeException e) {
            Connections.closeQuietly(connection);
            throw e;
        }
    }

    private synchronized void check(String found) throws SQLException {
        if (known.isEmpty()) {
            known = found;
        } else if (!known.equals(found)) {
            throw new SQLException("this is another server (" + found + ") than the one the store was opened on ("
                    + known + "), and may not know the terms; open the store again if that is meant");
        }
    }
}
