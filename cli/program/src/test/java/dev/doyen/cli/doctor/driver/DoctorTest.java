package dev.doyen.cli.doctor.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Fencing;
import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how the checks treat a record that the store did not write. */
@Timeout(180)
final class DoctorTest {

    @Test
    void a_write_that_conflicts_is_no_missed_announcement() throws Exception {
        try (var store = new MemoryLeaseStore()) {
            var checks = examined(new Unwritten(store, () -> new CasOutcome.Conflict(store.read(Doctor.RECORD))));

            assertThat(checks).extracting(Check::name).doesNotContain("store");
            assertThat(checks)
                    .filteredOn(check -> check.name().equals("watch"))
                    .extracting(Check::sentence)
                    .singleElement()
                    .asString()
                    .startsWith("the announcements were not checked");
        }
    }

    @Test
    void a_write_with_an_unknown_outcome_is_a_failure_of_the_store() throws Exception {
        try (var store = new MemoryLeaseStore()) {
            var checks = examined(new Unwritten(store, () -> new CasOutcome.Unknown("the answer was lost")));

            var last = checks.get(checks.size() - 1);
            assertThat(last.name()).isEqualTo("store");
            assertThat(last.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(last.sentence()).contains("the answer was lost");
        }
    }

    @Test
    void a_missing_right_is_named_with_its_remedy() throws Exception {
        try (var store = new FaultyLeaseStore()) {
            store.fault(FaultyLeaseStore.Fault.WRITES_REFUSED);
            var checks = examined(store);

            var last = checks.get(checks.size() - 1);
            assertThat(last.name()).isEqualTo("store");
            assertThat(last.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(last.sentence()).isEqualTo("it rejects this process: the store rejects writes of this process");
            assertThat(last.remedy()).contains("set to reject a write; set another fault");

            store.fault(FaultyLeaseStore.Fault.REFUSED);
            checks = examined(store);
            last = checks.get(checks.size() - 1);
            assertThat(last.sentence()).isEqualTo("it rejects this process: set to reject a read");
            assertThat(last.remedy()).isEqualTo("set another fault");
        }
    }

    @Test
    void a_store_that_stops_answering_is_not_reported_as_a_missing_right() throws Exception {
        try (var store = new FaultyLeaseStore()) {
            store.fault(FaultyLeaseStore.Fault.AWAY);
            var checks = examined(store);

            assertThat(checks.get(checks.size() - 1).sentence()).isEqualTo("it stopped answering: set to be away");
        }
    }

    private static List<Check> examined(LeaseStore store) throws InterruptedException {
        var checks = new ArrayList<Check>();
        var questions = new Doctor.Questions(Optional.empty(), Optional.empty(), Fencing.BEST_EFFORT, Duration.ZERO);
        new Doctor(store, questions, Clock.systemUTC(), checks::add).examine();
        return checks;
    }

    /** A store that does not write the record of the checks while the record is watched. */
    private static final class Unwritten extends ForwardingLeaseStore {
        private final Supplier<CasOutcome> outcome;
        private boolean isWatched;

        Unwritten(LeaseStore behind, Supplier<CasOutcome> outcome) {
            super(behind);
            this.outcome = outcome;
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public Optional<Watch> watch(String election, Runnable changed) {
            isWatched |= election.equals(Doctor.RECORD);
            return super.watch(election, changed);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return isWatched && election.equals(Doctor.RECORD)
                    ? outcome.get()
                    : behind().compareAndSet(election, expected, next);
        }
    }
}
