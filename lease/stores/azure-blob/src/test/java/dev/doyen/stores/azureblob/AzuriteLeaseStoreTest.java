package dev.doyen.stores.azureblob;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.store.LeaseStore;
import dev.doyen.stores.objects.ContractLine;
import dev.doyen.testkit.LeaseStoreContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the store contract on Azurite. */
class AzuriteLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final ContractLine LINE = new ContractLine("azblob (Azurite)");

    @BeforeAll
    static void azurite() {
        assumeTrue(AzuriteContainer.isThere(), "Azurite is not installed; run npm ci");
    }

    @Override
    protected LeaseStore open() {
        return LINE.opened(AzuriteContainer.open(
                AzuriteContainer.url(AzuriteContainer.server(), "contract") + "&timeout-millis=10000"));
    }
}
