package dev.doyen.stores.s3;

import dev.doyen.store.LeaseStore;
import dev.doyen.stores.objects.ContractLine;
import dev.doyen.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the store contract on Adobe's S3Mock. */
class S3MockLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final ContractLine LINE = new ContractLine("s3 (S3Mock " + System.getProperty("s3mock.version") + ")");

    @Override
    protected LeaseStore open() {
        return LINE.opened(LeaseStore.open(S3Mock.patientUrl(S3Mock.uri(), "contract")));
    }
}
