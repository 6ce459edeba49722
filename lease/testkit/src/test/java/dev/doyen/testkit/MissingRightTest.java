package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.probe.StoreProbe;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import org.junit.jupiter.api.Test;

/** Tests the check of the rights, which a store makes when it is opened. */
class MissingRightTest {

    private final FaultyLeaseStore store = new FaultyLeaseStore();

    @Test
    void a_store_that_accepts_a_write_of_the_probe_has_no_remark() {
        assertThat(StoreProbe.missingRight(store, "a test")).isEmpty();
        assertThat(store.written())
                .singleElement()
                .satisfies(record -> assertThat(record.election()).startsWith("~probe-"))
                .satisfies(record -> assertThat(record.isHeld()).isFalse());
    }

    @Test
    void a_store_that_rejects_writes_has_a_remark_with_the_right_and_the_remedy() {
        store.fault(Fault.WRITES_REFUSED);
        try (var log = new LogLines("leases in a test: ")) {
            assertThat(StoreProbe.missingRight(store, "a test"))
                    .get()
                    .asString()
                    .contains("this process may not lead", "set to reject a write; set another fault");
            assertThat(log.warnings()).hasSize(1);
        }
    }

    @Test
    void a_store_that_rejects_reads_has_a_remark() {
        store.fault(Fault.REFUSED);
        assertThat(StoreProbe.missingRight(store, "a test")).get().asString().contains("set to reject a read");
    }

    @Test
    void a_store_that_is_away_has_no_remark() {
        store.fault(Fault.AWAY);
        assertThat(StoreProbe.missingRight(store, "a test")).isEmpty();
        store.fault(Fault.ANSWERS_LOST);
        assertThat(StoreProbe.missingRight(store, "a test")).isEmpty();
    }

    @Test
    void a_probe_of_a_store_that_rejects_writes_reports_the_right() {
        store.fault(Fault.WRITES_REFUSED);
        assertThatThrownBy(() -> StoreProbe.full(store))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("set to reject a write; set another fault");
    }

    @Test
    void the_outcome_of_a_write_that_threw_contains_the_reason() {
        assertThat(CasOutcome.Unknown.of(new StoreUnavailableException("away")))
                .isEqualTo(new CasOutcome.Unknown("away", false));
        assertThat(CasOutcome.Unknown.of(new StoreRefusedException("no right", "grant it", null)))
                .isEqualTo(new CasOutcome.Unknown("no right; grant it", true));
        assertThat(CasOutcome.Unknown.of(new IllegalStateException("broken")))
                .isEqualTo(new CasOutcome.Unknown("java.lang.IllegalStateException: broken", false));
    }
}
