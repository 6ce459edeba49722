package dev.doyen.store;

import dev.doyen.log.FaultLog;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Omits unreadable records from the answer of {@link LeaseStore#readAll}.
 *
 * <p>Each unreadable record is logged once. Threads: any.
 */
final class ReadableRecords {

    private static final FaultLog FAULTS = new FaultLog(System.getLogger("dev.doyen"));

    private ReadableRecords() {}

    static Optional<VersionedLease> find(String election, Supplier<VersionedLease> read) {
        try {
            return Optional.of(read.get());
        } catch (UnreadableRecordException e) {
            FAULTS.report("the read of the record of \"" + election + "\"", e);
            return Optional.empty();
        }
    }
}
