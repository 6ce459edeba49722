package dev.doyen.micrometer;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.UUID;

/** Tests that a measured store fulfils the contract of a lease store. */
class MeteredStoreContractTest extends LeaseStoreContract {

    private final String url = "memory:" + UUID.randomUUID();

    @Override
    protected LeaseStore open() {
        return new MeteredLeaseStore(LeaseStore.open(url), new SimpleMeterRegistry());
    }
}
