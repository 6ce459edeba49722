package dev.doyen.stores.quorum;

import dev.doyen.event.HandOverState;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;

/** Lease records for tests. The parts that no test looks at are always the same. */
final class LeaseRecords {

    private LeaseRecords() {}

    static LeaseRecord record(String election, String holder, long term, HandOverState state) {
        return new LeaseRecord(
                election,
                holder,
                "incarnation",
                term,
                "nonce",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                state,
                0);
    }
}
