package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PatientTakeoverTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final FaultyLeaseStore behind = new FaultyLeaseStore(new MemoryLeaseStore());
    private final long[] now = {Long.MAX_VALUE - 5};
    private final PatientTakeover store = new PatientTakeover(behind, TTL, () -> now[0]);

    @Test
    void a_non_expiring_holder_is_replaced_only_after_a_ttl_of_answers() {
        held("you", "i-2");
        var found = store.read("e").version();
        assertThat(take(found)).isInstanceOf(CasOutcome.Unknown.class);

        now[0] += TTL.toNanos() - 1;
        store.read("e");
        assertThat(take(found)).isInstanceOf(CasOutcome.Unknown.class);
        now[0] += 1;
        assertThat(take(found)).isInstanceOf(CasOutcome.Written.class);
    }

    @Test
    void a_store_outage_restarts_the_wait() {
        held("you", "i-2");
        var found = store.read("e").version();
        now[0] += TTL.toNanos();
        behind.fault(FaultyLeaseStore.Fault.AWAY);
        assertThatThrownBy(() -> store.read("e")).isInstanceOf(StoreUnavailableException.class);
        behind.fault(FaultyLeaseStore.Fault.NONE);
        store.read("e");

        assertThat(take(found)).isInstanceOf(CasOutcome.Unknown.class);
        now[0] += TTL.toNanos();
        assertThat(take(found)).isInstanceOf(CasOutcome.Written.class);
    }

    @Test
    void a_free_lease_and_the_own_lease_are_acquired_at_once() {
        assertThat(take(store.read("e").version())).isInstanceOf(CasOutcome.Written.class);
        assertThat(take(store.read("e").version())).isInstanceOf(CasOutcome.Written.class);
    }

    private void held(String holder, String incarnation) {
        assertThat(behind.compareAndSet("e", LeaseVersion.ABSENT, record(holder, incarnation, 1)))
                .isInstanceOf(CasOutcome.Written.class);
    }

    private CasOutcome take(LeaseVersion expected) {
        return store.compareAndSet("e", expected, record("me", "i-1", 2));
    }

    private static LeaseRecord record(String holder, String incarnation, long term) {
        return new LeaseRecord(
                "e", holder, incarnation, term, "nonce", TTL, Instant.EPOCH, Instant.EPOCH, SavedState.EMPTY, 0);
    }
}
