package dev.doyen.stores.quorum;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;

/** Creates lease records for tests. Fields that no test examines are constant. */
final class LeaseRecords {

    private LeaseRecords() {}

    static LeaseRecord record(String election, String holder, long term, SavedState state) {
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
