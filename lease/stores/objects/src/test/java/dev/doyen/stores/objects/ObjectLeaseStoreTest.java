package dev.doyen.stores.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the outcomes of writes whose answer was lost or is misleading. */
class ObjectLeaseStoreTest {

    private static final LeaseStore.Promises PROMISES = new LeaseStore.Promises(true, false, "one test");

    private final FakeObjects objects = new FakeObjects();
    private final ObjectLeaseStore store = ObjectLeaseStore.open(objects, "p/", PROMISES);

    @AfterEach
    void close() {
        store.close();
        assertThat(objects.isClosed()).isTrue();
    }

    @Test
    void an_own_success_answered_as_a_conflict_is_a_success() {
        objects.nextPut(FakeObjects.PutFault.MADE_BUT_REFUSED);
        CasOutcome outcome = store.compareAndSet("orders", LeaseVersion.ABSENT, record(1));
        assertThat(outcome)
                .isEqualTo(new CasOutcome.Written(store.read("orders").version()));
        assertThat(store.compareAndSet("orders", store.read("orders").version(), record(2)))
                .isInstanceOf(CasOutcome.Written.class);
    }

    @Test
    void an_equal_record_of_another_writer_is_not_an_own_success() {
        LeaseVersion first = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
        LeaseVersion second = written(store.compareAndSet("orders", first, record(2)));
        assertThat(store.compareAndSet("orders", first, record(2)))
                .isEqualTo(new CasOutcome.Conflict(VersionedLease.of(second, record(2))));
    }

    @Test
    void a_rejection_without_another_writer_is_unknown() {
        objects.nextPut(FakeObjects.PutFault.REFUSED_FOR_NOTHING);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isEqualTo(new CasOutcome.Unknown("the lease of \"orders\" was not written (rejected on purpose), "
                        + "although it is still as expected: another write may be under way"));
    }

    @Test
    void a_rejection_followed_by_a_failed_read_is_unknown() {
        LeaseVersion first = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
        written(store.compareAndSet("orders", first, record(2)));
        objects.failGets(1);
        assertThat(store.compareAndSet("orders", first, record(3)))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason())
                                .contains("the stored record is not known: fails on purpose"));
    }

    @Test
    void a_write_without_an_answer_is_unknown() {
        objects.nextPut(FakeObjects.PutFault.LOST);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isInstanceOf(CasOutcome.Unknown.class);
        assertThat(store.read("orders")).isEqualTo(VersionedLease.ABSENT);
        objects.nextPut(FakeObjects.PutFault.MADE_BUT_UNANSWERED);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isInstanceOf(CasOutcome.Unknown.class);
        assertThat(store.read("orders").record()).contains(record(1));
    }

    @Test
    void an_object_without_a_valid_record_is_a_fault_and_not_an_absent_lease() {
        written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(7)));
        String good = objects.stored("p/orders.lease").content().text();
        for (String bad : List.of(
                "",
                "rubbish",
                good.substring(good.indexOf('\n') + 1),
                good.replace("doyen-lease 1", "doyen-lease 99"),
                good.replace("election: orders", "election: bills"),
                good.substring(0, good.length() - 5),
                good + "x".repeat(300_000))) {
            ObjectContent content = ObjectContent.ofText(bad);
            objects.overwrite("p/orders.lease", content);
            assertThatThrownBy(() -> store.read("orders"))
                    .as(bad)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("p/orders.lease");
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                    .as("the record is not overwritten: %s", bad)
                    .isInstanceOf(CasOutcome.Unknown.class);
            assertThat(objects.stored("p/orders.lease").content()).isEqualTo(content);
        }
    }

    @Test
    void a_deleted_object_is_absent() {
        LeaseVersion old = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
        objects.delete("p/orders.lease");
        assertThat(store.compareAndSet("orders", old, record(2)))
                .isEqualTo(new CasOutcome.Conflict(VersionedLease.ABSENT));
    }

    @Test
    void a_record_of_another_election_is_not_written() {
        assertThatThrownBy(() -> store.compareAndSet("bills", LeaseVersion.ABSENT, record(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void one_failed_read_fails_the_batch() {
        objects.failGets(1);
        assertThatThrownBy(() -> store.readAll(List.of("a", "b", "c")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("fails on purpose");
        assertThat(store.readAll(List.of("a", "b", "a"))).containsOnlyKeys("a", "b");
    }

    @Test
    void a_missing_right_is_named_in_the_unknown_outcome() {
        objects.nextPut(FakeObjects.PutFault.LACKS_RIGHT);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isEqualTo(new CasOutcome.Unknown(
                        "it is unknown whether the lease of \"orders\" was written: no right to write; allow it",
                        true));
    }

    @Test
    void one_failed_write_does_not_fail_the_others() {
        objects.nextPut(FakeObjects.PutFault.LOST);
        List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                new LeaseStore.Write(LeaseVersion.ABSENT, record(1)),
                new LeaseStore.Write(LeaseVersion.ABSENT, billsRecord())));
        assertThat(outcomes).hasSize(2).hasAtLeastOneElementOfType(CasOutcome.Unknown.class);
        assertThat(outcomes).hasAtLeastOneElementOfType(CasOutcome.Written.class);
    }

    @Test
    void a_service_without_conditions_is_rejected_with_a_sentence_and_closed() {
        var unconditional = new ConditionalObjects() {
            private final FakeObjects inner = new FakeObjects();

            @Override
            public Optional<StoredObject> get(String key, int maxBytes) {
                return inner.get(key, maxBytes);
            }

            @Override
            public PutOutcome put(String key, ObjectContent content, Optional<String> ifTag) {
                return inner.put(key, content, inner.get(key, Integer.MAX_VALUE).map(StoredObject::tag));
            }

            @Override
            public void close() {
                inner.close();
            }
        };
        assertThatThrownBy(() -> ObjectLeaseStore.open(unconditional, "", PROMISES))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("this service cannot store leases: it creates a record that exists already")
                .hasMessageContaining("it writes over a version that is not the current one")
                .hasMessageEndingWith("use a service that honours conditional writes");
        assertThat(unconditional.inner.isClosed()).isTrue();
    }

    private static LeaseRecord billsRecord() {
        return record("bills", 1);
    }

    private static LeaseRecord record(long term) {
        return record("orders", term);
    }

    private static LeaseRecord record(String election, long term) {
        return new LeaseRecord(
                election,
                "n1",
                "n1-1",
                term,
                "n",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }

    private static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
