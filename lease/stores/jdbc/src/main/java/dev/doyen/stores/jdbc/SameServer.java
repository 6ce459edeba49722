package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens connections, and rejects a connection to a server other than the first.
 *
 * <p>Another server possibly lacks the stored terms. If the database has no identifier of the server, the class accepts
 * every connection.
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
            throw new SQLException("this server (" + found + ") is not the one that the store was opened on (" + known
                    + "), and may not have the terms; open the store again if this is intended");
        }
    }
}
