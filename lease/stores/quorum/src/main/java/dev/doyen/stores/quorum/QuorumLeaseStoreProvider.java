package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** Opens quorum stores for URLs in the format of {@link QuorumUrl}. */
public final class QuorumLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "quorum";
    }

    @Override
    public LeaseStore open(String url) {
        return QuorumLeaseStore.open(QuorumUrl.parse(url));
    }
}
