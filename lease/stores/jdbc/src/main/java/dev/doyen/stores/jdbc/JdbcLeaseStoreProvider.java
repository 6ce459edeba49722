package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** Opens stores for {@code jdbc:} URLs of PostgreSQL, MariaDB, MySQL, SQLite and H2. */
public final class JdbcLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "jdbc";
    }

    @Override
    public LeaseStore open(String url) {
        return JdbcLeaseStore.open(url);
    }
}
