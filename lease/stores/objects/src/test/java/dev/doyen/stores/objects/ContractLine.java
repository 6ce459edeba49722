package dev.doyen.stores.objects;

import dev.doyen.store.LeaseStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints one line for each tested store, so a missing line shows that a store was skipped. */
public final class ContractLine implements TestWatcher, AfterAllCallback {

    private final String store;
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicReference<LeaseStore.Promises> promises = new AtomicReference<>();

    public ContractLine(String store) {
        this.store = store;
    }

    /** Records the store's promises and returns the store. */
    public LeaseStore opened(LeaseStore opened) {
        promises.set(opened.promises());
        return opened;
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        passed.incrementAndGet();
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        failed.incrementAndGet();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LeaseStore.Promises found = promises.get();
        if (found == null) {
            return;
        }
        System.out.println("store " + store + ": contract "
                + (failed.get() == 0 ? "passed" : "FAILED in " + failed + " of " + (passed.get() + failed.get())) + ", "
                + (found.durableTerms() ? "durable" : "not durable") + ", "
                + (found.watches() ? "watch" : "no watch"));
    }
}
