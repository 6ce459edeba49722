package dev.doyen.elector.metered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.testkit.FaultyLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredStoreTest {

    private static final LeaseRecord RECORD =
            LeaseRecord.unheld("orders", 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);

    private final FaultyLeaseStore behind = new FaultyLeaseStore();
    private final List<String> calls = new ArrayList<>();
    private final MeteredStore store = new MeteredStore(
            behind, nanos -> calls.add("found"), nanos -> calls.add("wrote"), () -> calls.add("failed"));

    @Test
    void each_call_is_counted_once_even_if_the_store_throws() {
        behind.fault(Fault.BROKEN);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.compareAndSet("orders", LeaseVersion.ABSENT, RECORD))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls).containsExactly("failed", "failed");
        assertThat(store.answeredAt()).isEmpty();

        behind.fault(Fault.NONE);
        store.read("orders");
        store.compareAndSet("orders", LeaseVersion.ABSENT, RECORD);
        assertThat(calls.subList(2, 4)).containsExactly("found", "wrote");
        assertThat(store.answeredAt()).isPresent();
    }
}
