package dev.doyen.stores.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A connection pool with auto-commit off, as frameworks configure it. */
final class TransactionalPool {

    private TransactionalPool() {}

    static DataSource of(Connections.Opener opener) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    Connection connection = opener.open();
                    connection.setAutoCommit(false);
                    return connection;
                });
    }
}
