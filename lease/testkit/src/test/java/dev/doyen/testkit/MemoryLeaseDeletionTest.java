package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import java.util.UUID;

class MemoryLeaseDeletionTest extends LeaseDeletionContract {

    private final String url = "memory:" + UUID.randomUUID();

    @Override
    protected LeaseStore open() {
        return LeaseStores.open(url);
    }
}
