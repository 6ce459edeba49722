package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that every store must pass. A subclass implements {@link #open}, with a real server if the store needs one.
 *
 * <p>Each test uses its own elections, so one server is enough for all tests.
 */
public abstract class LeaseStoreContract {

    private static final int RACERS = 8;
    private static final int ROUNDS = 40;

    private final List<LeaseStore> opened = new ArrayList<>();
    private LeaseStore store = new NotOpenedYet();
    private String election = "";

    /**
     * Opens the store. If the store promises durable terms, the opened store must contain the records that were written
     * before the last close.
     */
    protected abstract LeaseStore open();

    /**
     * Replaces the stored record of this election by a text that is no record.
     *
     * @return false if the test cannot do so; the tests that need an unreadable record are then skipped
     */
    protected boolean makeUnreadable(String name) throws Exception {
        return false;
    }

    @BeforeEach
    void openOne() {
        election = "contract-" + UUID.randomUUID();
        store = another();
    }

    @AfterEach
    void closeAll() {
        opened.forEach(LeaseStore::close);
    }

    @Test
    void an_election_never_written_is_absent() {
        assertThat(store.read(election).version().isAbsent()).isTrue();
    }

    @Test
    void a_record_is_read_back_as_it_was_written() {
        byte[] bytes = new byte[SavedState.MAX_BYTES];
        new Random(1).nextBytes(bytes);
        var record = new LeaseRecord(
                election,
                "Ünïcode: host\\1 \"quoted\" \uD83D\uDC51",
                UUID.randomUUID().toString(),
                (1L << 53) - 2,
                "nonce:with: colons",
                Duration.ofMillis(12_345),
                Instant.parse("2026-11-21T09:08:07.006Z"),
                Instant.parse("2026-11-21T09:08:09.123456Z"),
                SavedState.of(bytes),
                42);
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record));
        assertThat(store.read(election)).isEqualTo(VersionedLease.of(version, record));
    }

    @Test
    void a_record_is_read_back_with_all_its_notes() {
        var past = new ArrayList<LeaseNotes.PastTerm>();
        for (int term = LeaseNotes.MAX_PAST + 1; term > 1; term--) {
            past.add(new LeaseNotes.PastTerm(
                    term, "h\u00f6st " + term, Instant.EPOCH, Instant.EPOCH, LossCause.RESIGNED));
        }
        var notes = new LeaseNotes(
                7,
                LeaseNotes.MAX_GENERATION,
                Optional.of(new LeaseNotes.StepDownRequest("node 2", "ops@example.org", "")),
                Optional.of(
                        new LeaseNotes.Pause("ops", "moving house: \"now\"", Instant.parse("2026-11-21T09:00:00Z"))),
                Optional.of(new LeaseNotes.Successor("node 2", Duration.ofMillis(1500))),
                past);
        var record = new LeaseRecord(
                election,
                "holder",
                "incarnation",
                99,
                "nonce",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.ofText("line\nline"),
                1,
                Optional.of(new LeaseRecord.Epoch("~session/1", 12)),
                notes);
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record));
        assertThat(store.read(election)).isEqualTo(VersionedLease.of(version, record));
    }

    @Test
    void a_batch_read_returns_records_and_absent_leases() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            names.add(election + "-" + i);
        }
        Map<String, LeaseVersion> versions = new HashMap<>();
        Map<String, Optional<LeaseRecord>> records = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            versions.put(names.get(i), LeaseVersion.ABSENT);
            records.put(names.get(i), Optional.empty());
            if (i % 10 == 0) {
                LeaseRecord record = record(names.get(i), i + 1);
                LeaseVersion version = written(store.compareAndSet(names.get(i), LeaseVersion.ABSENT, record));
                versions.put(names.get(i), version);
                records.put(names.get(i), Optional.of(record));
            }
        }
        Map<String, VersionedLease> found = store.readAll(names);
        // Do not compare the term floors, because stores return different floors for a missing record.
        assertThat(found).hasSameSizeAs(names);
        found.forEach((name, lease) -> {
            assertThat(lease.version()).as(name).isEqualTo(versions.get(name));
            assertThat(lease.record()).as(name).isEqualTo(records.get(name));
        });
        assertThat(store.readAll(List.of())).isEmpty();
    }

    @Test
    void a_batch_read_omits_an_unreadable_record_and_returns_the_others() throws Exception {
        String good = election + "-good";
        String bad = election + "-bad";
        String absent = election + "-absent";
        LeaseRecord goodRecord = record(good, 1);
        LeaseVersion version = written(store.compareAndSet(good, LeaseVersion.ABSENT, goodRecord));
        written(store.compareAndSet(bad, LeaseVersion.ABSENT, record(bad, 1)));
        assumeTrue(makeUnreadable(bad), "this test cannot make a record unreadable");

        Map<String, VersionedLease> found = store.readAll(List.of(bad, good, absent));
        assertThat(found).containsOnlyKeys(good, absent);
        assertThat(found).containsEntry(good, VersionedLease.of(version, goodRecord));
        assertThat(store.readAll(List.of(bad))).isEmpty();
        assertThatThrownBy(() -> store.read(bad)).isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void each_write_of_a_batch_succeeds_or_fails_separately() {
        String fresh = election + "-fresh";
        String taken = election + "-taken";
        String stale = election + "-stale";
        String next = election + "-next";
        LeaseRecord first = record(taken, 1);
        LeaseVersion one = written(store.compareAndSet(taken, LeaseVersion.ABSENT, first));
        LeaseVersion old = written(store.compareAndSet(stale, LeaseVersion.ABSENT, record(stale, 1)));
        LeaseRecord newer = record(stale, 2);
        LeaseVersion present = written(store.compareAndSet(stale, old, newer));
        LeaseVersion renewable = written(store.compareAndSet(next, LeaseVersion.ABSENT, record(next, 1)));

        List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                new LeaseStore.Write(LeaseVersion.ABSENT, record(fresh, 1)),
                new LeaseStore.Write(LeaseVersion.ABSENT, record(taken, 9)),
                new LeaseStore.Write(old, record(stale, 9)),
                new LeaseStore.Write(renewable, record(next, 2))));

        assertThat(outcomes).hasSize(4);
        assertThat(store.read(fresh).version()).isEqualTo(written(outcomes.get(0)));
        assertThat(outcomes.get(1)).isEqualTo(new CasOutcome.Conflict(VersionedLease.of(one, first)));
        assertThat(outcomes.get(2)).isEqualTo(new CasOutcome.Conflict(VersionedLease.of(present, newer)));
        assertThat(store.read(next).version()).isEqualTo(written(outcomes.get(3)));
        assertThat(store.read(next).record().orElseThrow().term()).isEqualTo(2);
        assertThat(store.compareAndSetAll(List.of())).isEmpty();
    }

    @Test
    void only_the_first_creation_succeeds_and_the_second_gets_the_record() {
        LeaseRecord first = record(1);
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, first));
        assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)))
                .isEqualTo(new CasOutcome.Conflict(VersionedLease.of(version, first)));
    }

    @Test
    void a_write_succeeds_only_over_the_current_version() {
        LeaseVersion one = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
        LeaseRecord second = record(2);
        LeaseVersion two = written(store.compareAndSet(election, one, second));
        assertThat(store.compareAndSet(election, one, record(3)))
                .isEqualTo(new CasOutcome.Conflict(VersionedLease.of(two, second)));
        assertThat(store.read(election)).isEqualTo(VersionedLease.of(two, second));
    }

    @Test
    void a_write_over_an_absent_record_is_rejected() {
        LeaseVersion elsewhere = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
        String empty = election + "-empty";
        assertThat(store.compareAndSet(empty, elsewhere, record(empty, 2)))
                .isInstanceOfSatisfying(
                        CasOutcome.Conflict.class,
                        conflict -> assertThat(conflict.current().version().isAbsent())
                                .isTrue());
    }

    @Test
    void the_same_record_written_again_has_another_version() {
        LeaseRecord same = record(1);
        LeaseVersion one = written(store.compareAndSet(election, LeaseVersion.ABSENT, same));
        LeaseVersion two = written(store.compareAndSet(election, one, same));
        LeaseVersion three = written(store.compareAndSet(election, two, same));
        assertThat(List.of(one, two, three)).doesNotHaveDuplicates();
        assertThat(store.compareAndSet(election, one, record(2))).isInstanceOf(CasOutcome.Conflict.class);
    }

    @Test
    void elections_with_similar_names_are_different_elections() {
        List<String> names = List.of(
                "a",
                "A",
                "a/b",
                "a%2Fb",
                "../a",
                ".",
                "..",
                "a b",
                "a:b",
                "ä",
                "a\u0308",
                "x".repeat(255),
                "x".repeat(254) + "y",
                "\uD83D\uDC51".repeat(120));
        for (int i = 0; i < names.size(); i++) {
            String name = unique(names.get(i));
            written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, i + 1)));
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(store.read(unique(names.get(i))).record().orElseThrow().term())
                    .as(names.get(i))
                    .isEqualTo(i + 1);
        }
    }

    @Test
    void exactly_one_of_many_concurrent_writes_succeeds() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(RACERS);
        List<LeaseStore> stores = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            stores.add(i % 2 == 0 ? store : another());
        }
        try {
            LeaseVersion version = LeaseVersion.ABSENT;
            for (int round = 1; round <= ROUNDS; round++) {
                LeaseVersion expected = version;
                int term = round;
                var start = new CyclicBarrier(RACERS);
                List<Future<CasOutcome>> outcomes = new ArrayList<>();
                for (LeaseStore racer : stores) {
                    outcomes.add(threads.submit(() -> {
                        start.await();
                        return racer.compareAndSet(election, expected, record(term));
                    }));
                }
                List<LeaseVersion> winners = new ArrayList<>();
                for (Future<CasOutcome> outcome : outcomes) {
                    if (outcome.get(30, TimeUnit.SECONDS) instanceof CasOutcome.Written won) {
                        winners.add(won.version());
                    }
                }
                assertThat(winners).as("winners of round " + round).hasSize(1);
                version = store.read(election).version();
                assertThat(winners).containsExactly(version);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_write_of_one_opening_is_read_by_another() {
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
        assertThat(another().read(election).version()).isEqualTo(version);
    }

    @Test
    void a_durable_store_has_the_term_after_a_reopening() {
        assumeTrue(store.promises().durableTerms(), "this store does not promise durable terms");
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(7)));
        opened.forEach(LeaseStore::close);
        opened.clear();
        assertThat(another().read(election).record().orElseThrow().term()).isEqualTo(7);
    }

    @Test
    void a_watch_announces_writes_of_another_opening() throws Exception {
        assumeTrue(store.promises().watches(), "this store does not announce changes");
        var announced = new Semaphore(0);
        try (LeaseStore.Watch watch = store.watch(election, announced::release).orElseThrow()) {
            LeaseVersion one = written(another().compareAndSet(election, LeaseVersion.ABSENT, record(1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                    .as("the creation")
                    .isTrue();
            announced.drainPermits();
            written(another().compareAndSet(election, one, record(2)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                    .as("a change")
                    .isTrue();
            assertThat(watch).isNotNull();
        }
    }

    private LeaseStore another() {
        LeaseStore next = open();
        opened.add(next);
        return next;
    }

    private String unique(String name) {
        // A random part replaces the beginning of the longest names, so that their length does not change.
        String mark = election.substring(election.length() - 8);
        return name.length() > 200 ? mark + name.substring(mark.length()) : name + mark;
    }

    private LeaseRecord record(long term) {
        return record(election, term);
    }

    private static LeaseRecord record(String election, long term) {
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

    /** The value of the store field until {@link #openOne} has run. It is needed because the field must not be null. */
    private static final class NotOpenedYet implements LeaseStore {
        @Override
        public VersionedLease read(String election) {
            throw new IllegalStateException("not opened yet");
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            throw new IllegalStateException("not opened yet");
        }

        @Override
        public LeaseStore.Promises promises() {
            throw new IllegalStateException("not opened yet");
        }

        @Override
        public void close() {}
    }
}
