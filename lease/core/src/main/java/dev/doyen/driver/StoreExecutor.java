package dev.doyen.driver;

import dev.doyen.lease.RequestKind;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.function.Consumer;

/**
 * Asynchronous access to the store for loops.
 *
 * <p>Each call returns at once. The executor passes the answer to the {@code Reader} or consumer, on any thread. A
 * request to a store that hangs can remain without an answer. If a batch fails halfway, a request can receive two
 * answers, and the machine ignores the second one. If the store throws, the answer of a read is a failure, and the
 * answer of a write is an unknown outcome.
 */
interface StoreExecutor {

    void read(String election, Reader reader);

    /**
     * Writes a record by compare-and-set.
     *
     * @param kind the purpose of the write, by which an executor can order the requests
     */
    void write(RequestKind kind, LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer);

    /** Receives the answer of a read. */
    interface Reader {
        void found(VersionedLease lease);

        /** Called if the read failed. */
        void failed(StoreFault fault);
    }

    /** The fault of a request if no thread is available for a store call. */
    StoreFault BUSY = StoreFault.away("all threads for store calls are busy, or none could be started");
}
