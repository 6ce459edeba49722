package dev.doyen.driver;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.function.Consumer;

/**
 * The loops' asynchronous access to the store. Each call returns at once. Each answer comes once, on any thread. If the
 * store throws something, an Error included, the answer is a failed read or an unknown outcome.
 */
interface StoreDesk {

    void read(String election, Reader reader);

    void write(LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer);

    /** Waits for what a read brings. */
    interface Reader {
        void found(VersionedLease lease);

        /** {@code reason} is a sentence for people. */
        void failed(String reason);
    }

    /** The reason when no thread is left for a store call. */
    String BUSY = "all threads for store calls are busy, or none could be started";
}
