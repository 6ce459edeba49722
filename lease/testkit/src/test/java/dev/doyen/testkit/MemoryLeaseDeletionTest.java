package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import java.util.UUID;

class MemoryLeaseDeletionTest extends LeaseDeletionContract {

    private final String url = "memory:" + UUID.randomUUID();

    @Override
    protected LeaseStore open() {
        return LeaseStore.open(url);
    }
}
