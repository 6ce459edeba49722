package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** {@code jdbc:postgresql:}, {@code jdbc:mariadb:}, {@code jdbc:mysql:}, {@code jdbc:sqlite:} and {@code jdbc:h2:}. */
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
