package dev.doyen.stores.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Outcomes of writes whose answer was lost or is misleading. */
class ObjectLeaseStoreTest {

    private static final StorePromises PROMISES = new StorePromises(true, false, "one test");

    private final FakeObjects objects = new FakeObjects();
    private final ObjectLeaseStore store = ObjectLeaseStore.open(objects, "p/", PROMISES);

    @AfterEach
    void close() {
        store.close();
        assertThat(objects.isClosed()).isTrue();
    }

    @Test
    void an_own_success_that_was_answered_as_refused_is_a_success() {
        objects.nextPut(FakeObjects.Told.MADE_BUT_REFUSED);
        CasOutcome outcome = store.compareAndSet("orders", LeaseVersion.ABSENT, record(1));
        assertThat(outcome)
                .isEqualTo(new CasOutcome.Written(store.read("orders").version()));
        assertThat(store.compareAndSet("orders", store.read("orders").version(), record(2)))
                .isInstanceOf(CasOutcome.Written.class);
    }

    @Test
    void the_same_record_written_by_another_is_not_taken_for_an_own_success() {
        LeaseVersion first = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
        LeaseVersion second = written(store.compareAndSet("orders", first, record(2)));
        assertThat(store.compareAndSet("orders", first, record(2)))
                .isEqualTo(new CasOutcome.Conflict(VersionedLease.of(second, record(2))));
    }

    @Test
    void a_refusal_without_a_rival_is_unknown() {
        objects.nextPut(FakeObjects.Told.REFUSED_FOR_NOTHING);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isEqualTo(new CasOutcome.Unknown(
                        "the lease of \"orders\" was not written (told that another write is under way), "
                                + "although it is still as expected: another write may be under way"));
    }

    @Test
    void a_refusal_after_which_nothing_can_be_read_is_unknown() {
        LeaseVersion first = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
        written(store.compareAndSet("orders", first, record(2)));
        objects.failGets(1);
        assertThat(store.compareAndSet("orders", first, record(3)))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason())
                                .contains("what is there instead is not known: told to fail"));
    }

    @Test
    void a_write_without_an_answer_is_unknown_whether_it_was_made_or_not() {
        objects.nextPut(FakeObjects.Told.LOST);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isInstanceOf(CasOutcome.Unknown.class);
        assertThat(store.read("orders")).isEqualTo(VersionedLease.ABSENT);
        objects.nextPut(FakeObjects.Told.MADE_BUT_UNANSWERED);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                .isInstanceOf(CasOutcome.Unknown.class);
        assertThat(store.read("orders").record()).contains(record(1));
    }

    @Test
    void an_object_that_is_no_record_is_a_fault_and_never_absence() {
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
                    .as("nor is it written over: %s", bad)
                    .isInstanceOf(CasOutcome.Unknown.class);
            assertThat(objects.stored("p/orders.lease").content()).isEqualTo(content);
        }
    }

    @Test
    void an_object_that_was_deleted_is_absent() {
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
    void one_read_that_fails_fails_the_reading_of_many() {
        objects.failGets(1);
        assertThatThrownBy(() -> store.readAll(List.of("a", "b", "c")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("told to fail");
        assertThat(store.readAll(List.of("a", "b", "a"))).containsOnlyKeys("a", "b");
    }

    @Test
    void one_write_that_fails_does_not_fail_the_others() {
        objects.nextPut(FakeObjects.Told.LOST);
        List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                new LeaseWrite(LeaseVersion.ABSENT, record(1)), new LeaseWrite(LeaseVersion.ABSENT, billsRecord())));
        assertThat(outcomes).hasSize(2).hasAtLeastOneElementOfType(CasOutcome.Unknown.class);
        assertThat(outcomes).hasAtLeastOneElementOfType(CasOutcome.Written.class);
    }

    @Test
    void a_service_that_takes_no_conditions_is_refused_with_a_sentence_and_closed() {
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
                .hasMessageStartingWith("this service cannot keep leases: it creates a record that is already there")
                .hasMessageContaining("it writes over a version that is no longer the present one")
                .hasMessageEndingWith("use one that honours conditional writes");
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
