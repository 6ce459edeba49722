package dev.doyen.elector.metered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.metrics.StoreCall;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
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
    private final MeteredStore store = new MeteredStore(behind, call -> calls.add(text(call)));

    @Test
    void each_call_is_counted_once_even_if_the_store_throws() {
        behind.fault(Fault.BROKEN);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.compareAndSet("orders", LeaseVersion.ABSENT, RECORD))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls).containsExactly("read failed other", "compare_and_set failed other");
        assertThat(store.answeredAt()).isEmpty();

        behind.fault(Fault.NONE);
        store.read("orders");
        store.compareAndSet("orders", LeaseVersion.ABSENT, RECORD);
        assertThat(calls.subList(2, 4)).containsExactly("read answered", "compare_and_set written");
        assertThat(store.answeredAt()).isPresent();
    }

    @Test
    void errors_are_distinguished_by_kind_and_a_conflict_is_no_error() {
        behind.fault(Fault.AWAY);
        assertThatThrownBy(() -> store.readAll(List.of("orders"))).isInstanceOf(RuntimeException.class);
        store.compareAndSetAll(List.of(new LeaseStore.Write(LeaseVersion.ABSENT, RECORD)));
        behind.fault(Fault.REFUSED);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(RuntimeException.class);
        store.compareAndSet("orders", LeaseVersion.ABSENT, RECORD);
        behind.fault(Fault.UNREADABLE);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(RuntimeException.class);
        assertThat(store.answeredAt()).isEmpty();
        behind.fault(Fault.NONE);
        store.compareAndSet("orders", LeaseVersion.of(7), RECORD);

        assertThat(calls)
                .containsExactly(
                        "read failed away",
                        "compare_and_set unknown unknown",
                        "read failed refused",
                        "compare_and_set unknown refused",
                        "read failed unreadable",
                        "compare_and_set conflict");
        assertThat(store.answeredAt()).isPresent();
    }

    private static String text(StoreCall call) {
        return call.operation().label() + " " + call.outcome().label()
                + call.error().map(kind -> " " + kind.label()).orElse("");
    }
}
