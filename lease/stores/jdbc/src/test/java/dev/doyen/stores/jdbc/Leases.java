package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Makes lease records for tests. */
final class Leases {

    private Leases() {}

    static LeaseRecord record(String election, long term) {
        return new LeaseRecord(
                election,
                "candidate",
                "incarnation",
                term,
                UUID.randomUUID().toString(),
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }

    static String fresh() {
        return "election-" + UUID.randomUUID();
    }

    static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
