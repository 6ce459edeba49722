package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** {@code quorum://a:7800,b:7800,c:7800/path/to/directory?id=a[&secret-file=/path&timeout-millis=2000]}. */
public final class QuorumLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "quorum";
    }

    @Override
    public LeaseStore open(String url) {
        return QuorumLeaseStore.open(QuorumSettings.parse(url));
    }
}
