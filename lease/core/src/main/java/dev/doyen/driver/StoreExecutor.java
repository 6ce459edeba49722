package dev.doyen.driver;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.function.Consumer;

/**
 * Asynchronous access to the store for loops.
 *
 * <p>Each call returns at once. Each answer comes exactly once, on any thread. If the store throws anything, also an
 * Error, the answer is a failed read or an unknown outcome.
 */
interface StoreExecutor {

    void read(String election, Reader reader);

    void write(LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer);

    /** Receives the answer of a read. */
    interface Reader {
        void found(VersionedLease lease);

        /** Called if the read failed. {@code reason} is a sentence for people. */
        void failed(String reason);
    }

    /** The reason if no thread is available for a store call. */
    String BUSY = "all threads for store calls are busy, or none could be started";
}
