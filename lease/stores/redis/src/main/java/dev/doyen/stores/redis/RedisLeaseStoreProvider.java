package dev.doyen.stores.redis;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** Opens stores for {@code redis://[user:password@]host[:6379][/prefix][?timeout-millis=2000&database=0]}. */
public final class RedisLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "redis";
    }

    @Override
    public LeaseStore open(String url) {
        return RedisLeaseStore.open(RedisSettings.of(url));
    }

    /**
     * Opens stores for {@code rediss://} URLs, which use TLS.
     *
     * <p>The parameter {@code ca=/path/ca.pem} names the certificate authority of the server, if the system does not
     * trust this authority.
     */
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
