package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** Opens stores for {@code zookeeper://[user:password@]h1[:2181][,h2...][/path][?timeout-millis=2000]}. */
public final class ZooKeeperLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "zookeeper";
    }

    @Override
    public LeaseStore open(String url) {
        return ZooKeeperLeaseStore.open(ZooKeeperSettings.of(url));
    }
}
