package dev.doyen.stores.quorum;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Tests that the size of a directory has a limit. */
class JournalSizeTest {

    private static final long MAX_BYTES = JournalGrowth.MAX_DIRECTORY;

    /** The number of concurrent writes. */
    private static final int AT_A_TIME = 20;

    /** The time for which a write is repeated. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void it_stays_below_10_mb_over_20_000_renewals() {
        assertThat(greatestLength(20_000, SavedState.EMPTY)).isBetween(100_000L, MAX_BYTES);
    }

    @Test
    void it_stays_below_10_mb_over_200_renewals_with_the_largest_state() {
        var state = new byte[SavedState.MAX_BYTES];
        new Random(1).nextBytes(state);

        assertThat(greatestLength(200, SavedState.of(state))).isBetween(1_000_000L, MAX_BYTES);
    }

    /** The records have about 2.9 MB in total, just below the limit of 3 MB for all records. */
    @Test
    void it_stays_below_10_mb_with_1_000_elections_of_which_30_have_the_largest_state() {
        var state = new byte[SavedState.MAX_BYTES];
        new Random(1).nextBytes(state);
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            QuorumProcess process = members.process(0);
            for (int round = 0; round < 8; round++) {
                for (int election = 0; election < 1_000; election += AT_A_TIME) {
                    Map<LeaseRecord, CompletableFuture<?>> answers = new HashMap<>();
                    for (int i = election; i < election + AT_A_TIME; i++) {
                        LeaseRecord record = LeaseRecords.record(
                                "election-" + i, "holder", 1 + round, i < 30 ? SavedState.of(state) : SavedState.EMPTY);
                        answers.put(record, write(process, record));
                    }
                    answers.forEach((record, answer) -> awaitWrite(process, record, answer));
                }
            }
            for (int i = 0; i < 3; i++) {
                assertThat(members.file(i).greatestLength()).isBetween(3_000_000L, MAX_BYTES);
            }
        }
    }

    @Test
    void a_leader_whose_entries_are_not_committed_appends_only_a_limited_number_of_bytes() {
        var state = SavedState.of(new byte[SavedState.MAX_BYTES]);
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            int leader = members.leader();
            QuorumProcess process = members.process(leader);
            String address = members.endpoints().get(leader).address();
            members.endpoints().forEach(other -> members.network().cut(address, other.address()));
            long before = members.file(leader).greatestLength();

            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                LeaseRecord record = LeaseRecords.record("election-" + i, "holder", 1, state);
                answers.add(process.write(
                        List.of(new LeaseStore.Write(LeaseVersion.ABSENT, record)), Duration.ofSeconds(2)));
            }
            answers.forEach(
                    answer -> assertThatThrownBy(answer::join).hasCauseInstanceOf(StoreUnavailableException.class));

            long overhead = 10_000;
            assertThat(members.file(leader).greatestLength() - before).isLessThan(LogWriter.MAX_UNCOMMITTED + overhead);
        }
    }

    private static CompletableFuture<?> write(QuorumProcess process, LeaseRecord record) {
        try {
            LeaseVersion version =
                    process.read(record.election(), MembersInMemory.TIMEOUT).version();
            return process.write(List.of(new LeaseStore.Write(version, record)), MembersInMemory.TIMEOUT);
        } catch (StoreUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Waits for the answer to a write. On a busy machine the leader of the log can change several times. The method
     * then repeats the write.
     */
    private static void awaitWrite(QuorumProcess process, LeaseRecord record, CompletableFuture<?> answer) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        CompletableFuture<?> last = answer;
        while (true) {
            try {
                last.join();
                return;
            } catch (CompletionException e) {
                if (System.nanoTime() - until > 0 || !(e.getCause() instanceof StoreUnavailableException)) {
                    throw e;
                }
                last = write(process, record);
            }
        }
    }

    @Test
    void records_above_the_limit_are_rejected_and_renewals_continue() {
        var state = SavedState.of(new byte[SavedState.MAX_BYTES]);
        try (var members = new MembersInMemory()) {
            List<QuorumLeaseStore> stores = List.of(members.store(0), members.store(1), members.store(2));
            List<CasOutcome> outcomes = new ArrayList<>();
            for (int i = 0; i < 35; i++) {
                outcomes.add(written(stores.get(i % 3), "election " + i, LeaseVersion.ABSENT, state));
            }
            assertThat(outcomes.subList(0, 34)).allMatch(CasOutcome.Written.class::isInstance);
            for (int i = 0; i < 3; i++) {
                QuorumLeaseStore each = members.store(i);
                assertThat(written(each, "election 34", LeaseVersion.ABSENT, state))
                        .isInstanceOfSatisfying(
                                CasOutcome.Unknown.class,
                                unknown -> assertThat(unknown.reason())
                                        .contains("the limit is 3000000", "Save less state"));
                assertThat(written(each, "election 0", each.read("election 0").version(), state))
                        .isInstanceOf(CasOutcome.Written.class);
            }
            QuorumLeaseStore store = members.store(0);
            assertThat(written(store, "election 0", store.read("election 0").version(), SavedState.EMPTY))
                    .isInstanceOf(CasOutcome.Written.class);
            assertThat(written(store, "election 34", LeaseVersion.ABSENT, state))
                    .isInstanceOf(CasOutcome.Written.class);
        }
    }

    @Test
    void larger_records_lead_to_earlier_snapshots() {
        assertThat(JournalGrowth.mostBytesOfEntries(0, 0)).isEqualTo(3_000_000);
        assertThat(JournalGrowth.mostBytesOfEntries(LeaseTable.MAX_BYTES, LeaseTable.MAX_BYTES))
                .isEqualTo(1_000_000);
        assertThat(JournalGrowth.mostBytesOfEntries(MAX_BYTES, MAX_BYTES)).isZero();
    }

    @Test
    void both_files_fit_while_entries_are_not_committed() {
        for (long before = 0; before <= LeaseTable.MAX_BYTES; before += 100_000) {
            for (long next = 0; next <= LeaseTable.MAX_BYTES; next += 100_000) {
                long uncommitted = JournalGrowth.RESERVE;
                long oldFile = before + JournalGrowth.mostBytesOfEntries(before, next) + uncommitted;
                assertThat(oldFile + next + uncommitted).isLessThanOrEqualTo(MAX_BYTES);
            }
        }
    }

    private static CasOutcome written(
            QuorumLeaseStore store, String election, LeaseVersion expected, SavedState state) {
        return new RepeatingStore(store)
                .compareAndSet(election, expected, LeaseRecords.record(election, "holder", 1, state));
    }

    /**
     * Makes this number of writes. Returns the greatest length of a member's directory, in bytes. Each write adds a log
     * entry, even if the write conflicts.
     */
    private static long greatestLength(int renewals, SavedState state) {
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            QuorumProcess process = members.process(0);
            LeaseRecord record = LeaseRecords.record("election", "holder", 1, state);
            VersionedLease before = VersionedLease.ABSENT;
            for (int sent = 0; sent < renewals; sent += AT_A_TIME) {
                List<CompletableFuture<?>> answers = new ArrayList<>();
                for (int i = 0; i < AT_A_TIME; i++) {
                    answers.add(process.write(
                            List.of(new LeaseStore.Write(before.version(), record)), MembersInMemory.TIMEOUT));
                }
                answers.forEach(answer -> awaitWrite(process, record, answer));
                before = process.read("election", MembersInMemory.TIMEOUT);
            }
            return Math.max(
                    members.file(0).greatestLength(),
                    Math.max(members.file(1).greatestLength(), members.file(2).greatestLength()));
        }
    }
}
