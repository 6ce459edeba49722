package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A JUnit extension that prints one line with the result of a store's tests.
 *
 * <p>An example is {@code store etcd 3.4.23: contract passed, durable, watches}. The extension prints no line if all
 * tests were skipped. Register this class as a static extension, and call {@link #found}.
 */
public final class StoreLine implements TestWatcher, AfterAllCallback {

    private final String what;
    private volatile String store;
    private volatile Optional<LeaseStore.Promises> promises = Optional.empty();
    private int passed;
    private int failed;

    /**
     * Creates the extension.
     *
     * @param what the name of the tests in the line, such as "contract" or "faults"
     */
    public StoreLine(String store, String what) {
        this.store = store;
        this.what = what;
    }

    /** Sets the name and version of the store, and its promises. */
    public void found(String storeAndVersion, LeaseStore.Promises itsPromises) {
        store = storeAndVersion;
        promises = Optional.of(itsPromises);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        passed++;
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        failed++;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (passed + failed == 0) {
            return;
        }
        String result = failed == 0 ? "passed" : "FAILED (" + failed + " of " + (passed + failed) + ")";
        String durable = promises.map(p -> p.durableTerms() ? ", durable" : ", not durable")
                .orElse("");
        String watches =
                promises.map(p -> p.watches() ? ", watches" : ", no watch").orElse("");
        System.out.println("store " + store + ": " + what + " " + result + durable + watches);
    }
}
