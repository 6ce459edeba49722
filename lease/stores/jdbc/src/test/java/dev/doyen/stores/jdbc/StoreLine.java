package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints one line per store, such as "store postgresql 18.6: contract passed, durable, watches". */
final class StoreLine implements AfterAllCallback, TestWatcher {

    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile String store = "";
    private volatile String promised = "";
    private volatile boolean skipped;

    void about(String name, LeaseStore.Promises promises) {
        store = name;
        promised = (promises.durableTerms() ? "durable" : "not durable") + ", "
                + (promises.watches() ? "watches" : "polled");
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
    public void testAborted(ExtensionContext context, Throwable cause) {
        if (store.isEmpty() && !skipped) {
            skipped = true;
            System.out.println(Optional.ofNullable(cause.getMessage()).orElse("SKIPPED"));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (!store.isEmpty()) {
            System.out.println("store " + store + ": contract "
                    + (failed.get() == 0 ? "passed" : "FAILED in " + failed + " of " + (passed.get() + failed.get()))
                    + ", " + promised);
        }
        // JUnit uses one instance of this class for all test classes. Reset it for the next test class.
        passed.set(0);
        failed.set(0);
        store = "";
        skipped = false;
    }
}
