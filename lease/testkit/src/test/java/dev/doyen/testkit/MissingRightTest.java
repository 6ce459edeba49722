package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.RightsProbe;
import dev.doyen.store.probe.StoreProbe;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the check of the rights, which an election makes when it is opened. */
class MissingRightTest {

    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final RightsProbe probe = new RightsProbe(store);

    @Test
    void a_store_that_accepts_a_write_of_the_probe_lacks_no_right() {
        assertThat(probe.missing()).isEmpty();
        assertThat(store.written())
                .singleElement()
                .satisfies(record -> assertThat(record.election()).startsWith("~probe-"))
                .satisfies(record -> assertThat(record.isHeld()).isFalse());
        assertThat(probe.missing()).isEmpty();
        assertThat(store.written()).as("a result is not tested again").hasSize(1);
    }

    @Test
    void a_store_that_rejects_writes_names_the_right_and_the_remedy() {
        store.fault(Fault.WRITES_REFUSED);
        assertThat(probe.missing())
                .singleElement()
                .asString()
                .contains("this process may not write leases", "set to reject a write; set another fault");
    }

    @Test
    void a_store_that_rejects_reads_names_the_right() {
        store.fault(Fault.REFUSED);
        assertThat(probe.missing())
                .singleElement()
                .asString()
                .contains("this process may not read leases", "set to reject a read");
    }

    @Test
    void a_store_that_is_away_has_no_result_and_is_tested_again() {
        store.fault(Fault.AWAY);
        assertThat(probe.missing()).isEmpty();
        store.fault(Fault.ANSWERS_LOST);
        assertThat(probe.missing()).isEmpty();
        store.fault(Fault.WRITES_REFUSED);
        assertThat(probe.missing()).hasSize(1);
    }

    @Test
    void an_election_logs_each_missing_right_when_it_is_opened() {
        LeaseStore reader = new ForwardingLeaseStore(store) {
            @Override
            public List<String> missingRights() {
                return List.of("this process may not write leases");
            }

            @Override
            public VersionedLease read(String election) {
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return behind().compareAndSet(election, expected, next);
            }
        };
        try (var log = new LogLines("election \"orders\": ")) {
            Election.lease("orders").store(reader).open().close();
            assertThat(log.warnings()).containsExactly("election \"orders\": this process may not write leases");
        }
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
                .isEqualTo(new CasOutcome.Unknown("java.lang.IllegalStateException", false));
    }
}
