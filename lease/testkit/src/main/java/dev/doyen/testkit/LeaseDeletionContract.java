package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a store must pass if it implements {@link LeaseStore#prune}. A subclass implements {@link #open}.
 *
 * <p>The tests call {@link LeaseStore#prune}. This method can also delete old records that the tests did not write.
 */
public abstract class LeaseDeletionContract {

    private static final int RACERS = 8;
    private static final int ROUNDS = 40;

    /** A time after the write time of each test record except the young record. */
    private static final Instant LATER = Instant.EPOCH.plusSeconds(1);

    private final List<LeaseStore> opened = new ArrayList<>();
    private final String election = "contract-" + UUID.randomUUID();

    /**
     * Opens the store. If the store promises durable terms, the opened store must contain the records that were written
     * before the last close.
     */
    protected abstract LeaseStore open();

    @AfterEach
    void closeAll() {
        opened.forEach(LeaseStore::close);
    }

    @Test
    void a_deleted_record_leaves_its_term() {
        LeaseStore store = another();
        written(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(7)));
        assertThat(store.prune(LATER, LATER)).isEqualTo(1);
        assertThat(another().read(election).highestTerm()).isGreaterThanOrEqualTo(7);
        assumeTrue(store.promises().durableTerms(), "this store does not promise durable terms");
        opened.forEach(LeaseStore::close);
        opened.clear();
        assertThat(another().read(election).highestTerm()).isGreaterThanOrEqualTo(7);
    }

    @Test
    void only_an_old_record_without_holder_and_notes_is_deleted() {
        LeaseStore store = another();
        LeaseNotes none = LeaseNotes.NONE;
        List<LeaseRecord> needed = List.of(
                held(election + "-held", 1),
                unheld(election + "-young", 1, LATER, SavedState.EMPTY, none),
                unheld(election + "-state", 1, Instant.EPOCH, SavedState.ofText("state"), none),
                unheld("~" + election, 1, Instant.EPOCH, SavedState.EMPTY, none),
                unheld(
                        election + "-paused",
                        1,
                        Instant.EPOCH,
                        SavedState.EMPTY,
                        none.withPause(Optional.of(new LeaseNotes.Pause("ops", "", Instant.EPOCH)))),
                unheld(
                        election + "-asked",
                        1,
                        Instant.EPOCH,
                        SavedState.EMPTY,
                        none.withStepDownRequest(new LeaseNotes.StepDownRequest("", "ops", ""))),
                unheld(
                        election + "-successor",
                        1,
                        Instant.EPOCH,
                        SavedState.EMPTY,
                        none.withSuccessor(Optional.of(new LeaseNotes.Successor("node 2", Duration.ofSeconds(1))))));
        for (LeaseRecord record : needed) {
            written(store.compareAndSet(
                    record.election(), store.read(record.election()).version(), record));
        }
        assertThat(store.prune(LATER, Instant.EPOCH)).isZero();
        for (LeaseRecord record : needed) {
            assertThat(store.read(record.election()).record()).contains(record);
        }
        assertThat(store.prune(LATER, LATER)).as("only the record with state").isEqualTo(1);
        assertThat(store.read(election + "-state").record()).isEmpty();
    }

    @Test
    void a_write_over_a_deleted_record_begins_a_higher_term() {
        LeaseStore store = another();
        LeaseVersion first = written(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(7)));
        assertThat(store.prune(LATER, LATER)).isEqualTo(1);
        VersionedLease absent = store.read(election);
        assertThat(absent.record()).isEmpty();
        assertThat(store.compareAndSet(election, first, held(8))).isEqualTo(new CasOutcome.Conflict(absent));
        assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, held(7)))
                .as("by a candidate that has not read the term of the deleted record")
                .isEqualTo(new CasOutcome.Conflict(absent));
        assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(6)))
                .isEqualTo(new CasOutcome.Conflict(absent));
        LeaseVersion second = written(store.compareAndSet(election, LeaseVersion.ABSENT, held(8)));
        assertThat(second).as("a version is never used twice").isNotEqualTo(first);
    }

    @Test
    void a_record_without_a_holder_may_follow_a_deleted_record_of_the_same_term() {
        LeaseStore store = another();
        LeaseVersion first = written(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(7)));
        assertThat(store.prune(LATER, LATER)).isEqualTo(1);
        assertThat(written(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(7))))
                .isNotEqualTo(first);
    }

    @Test
    void no_term_is_used_twice_while_records_are_deleted() throws Exception {
        LeaseStore store = another();
        written(store.compareAndSet(election, LeaseVersion.ABSENT, unheld(1)));
        assertThat(store.prune(LATER, LATER)).isEqualTo(1);
        ExecutorService threads = Executors.newFixedThreadPool(RACERS);
        try {
            List<Future<List<Long>>> racers = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                LeaseStore racer = i % 2 == 0 ? store : another();
                racers.add(threads.submit(() -> leadAndDelete(racer)));
            }
            List<Long> terms = new ArrayList<>();
            for (Future<List<Long>> racer : racers) {
                terms.addAll(racer.get(60, TimeUnit.SECONDS));
            }
            assertThat(terms).doesNotHaveDuplicates().doesNotContain(1L).isNotEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Leads for some terms. After each term, releases the lease and deletes its record. Returns the terms. */
    private List<Long> leadAndDelete(LeaseStore racer) {
        List<Long> terms = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            VersionedLease found = racer.read(election);
            long term = found.highestTerm() + 1;
            if (racer.compareAndSet(election, found.version(), held(term)) instanceof CasOutcome.Written won) {
                terms.add(term);
                racer.compareAndSet(election, won.version(), unheld(term));
            }
            racer.prune(LATER, LATER);
        }
        return terms;
    }

    private LeaseStore another() {
        LeaseStore next = open();
        opened.add(next);
        return next;
    }

    private LeaseRecord unheld(long term) {
        return unheld(election, term, Instant.EPOCH, SavedState.EMPTY, LeaseNotes.NONE);
    }

    private static LeaseRecord unheld(
            String election, long term, Instant writtenAt, SavedState state, LeaseNotes notes) {
        return new LeaseRecord(
                election,
                "",
                "",
                term,
                UUID.randomUUID().toString(),
                Duration.ofSeconds(10),
                Instant.EPOCH,
                writtenAt,
                state,
                0,
                Optional.empty(),
                notes);
    }

    private LeaseRecord held(long term) {
        return held(election, term);
    }

    private static LeaseRecord held(String election, long term) {
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

    private static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
