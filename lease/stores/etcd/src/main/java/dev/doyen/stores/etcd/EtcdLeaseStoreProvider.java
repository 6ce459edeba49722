package dev.doyen.stores.etcd;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/**
 * Opens stores for URLs of etcd.
 *
 * <p>The form of a URL is {@code
 * etcd://[user:password@]host[:2379][,host...][/prefix][?timeout-millis=2000&tls=true&ca=ca.pem&cert=c.pem&key=k.pem]}.
 */
public final class EtcdLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "etcd";
    }

    @Override
    public LeaseStore open(String url) {
        return EtcdLeaseStore.open(EtcdSettings.of(url));
    }
}
