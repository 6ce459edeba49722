package dev.doyen.driver;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.function.Consumer;

/**
 * Where loops hand in what they want of the store. Returns at once; each answer comes exactly once, on any thread, and
 * no fault of the store ever comes as an exception.
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

    /** What is said when the store hangs so badly that no thread is left to ask it. */
    String BUSY = "all threads for store calls are busy";
}
