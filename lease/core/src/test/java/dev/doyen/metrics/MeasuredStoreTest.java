package dev.doyen.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredStoreTest {

    private final List<StoreCall> calls = new ArrayList<>();
    private final MeasuredStore store = new MeasuredStore(new MemoryLeaseStore(), System::nanoTime, calls::add);
    private LeaseVersion version = LeaseVersion.ABSENT;

    @Test
    void only_a_renewal_by_the_holder_counts_as_a_renewal() {
        write(held("acquired", Instant.EPOCH));
        LeaseRecord renewed = held("renewed", Instant.EPOCH.plusSeconds(2));
        write(renewed);
        write(renewed.noting(LeaseNotes.NONE.heldWith(10, 0), "noted by another process"));

        assertThat(calls).extracting(StoreCall::isRenewal).containsExactly(false, true, false);
    }

    private void write(LeaseRecord next) {
        CasOutcome outcome = store.compareAndSet("orders", version, next);
        assertThat(outcome).isInstanceOfSatisfying(CasOutcome.Written.class, written -> version = written.version());
    }

    private static LeaseRecord held(String nonce, Instant renewedAt) {
        return new LeaseRecord(
                "orders",
                "n1",
                "n1-1",
                1,
                nonce,
                Duration.ofSeconds(10),
                Instant.EPOCH,
                renewedAt,
                SavedState.EMPTY,
                0);
    }
}
