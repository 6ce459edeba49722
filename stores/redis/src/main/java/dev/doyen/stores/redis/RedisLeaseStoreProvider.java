package dev.doyen.stores.redis;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** {@code redis://[user:password@]host[:6379][/prefix][?timeout-millis=2000&database=0]}. */
public final class RedisLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "redis";
    }

    @Override
    public LeaseStore open(String url) {
        return RedisLeaseStore.open(RedisSettings.of(url));
    }

    /** {@code rediss://}: the same over TLS, with {@code ca=/path/ca.pem} if the system does not trust the server's. */
    public static final class Tls implements LeaseStoreProvider {
        @Override
        public String scheme() {
            return "rediss";
        }

        @Override
        public LeaseStore open(String url) {
            return RedisLeaseStore.open(RedisSettings.of(url));
        }
    }
}
