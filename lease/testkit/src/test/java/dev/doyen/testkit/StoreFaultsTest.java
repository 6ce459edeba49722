package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseObserver;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what {@code explain()} returns and what is logged if the store is away or rejects requests. The test moves the
 * clock.
 */
class StoreFaultsTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String READ = "set to reject a read; set another fault";
    private static final String WRITE = "set to reject a write; set another fault";

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final FaultyLeaseStore store = new FaultyLeaseStore(shared);
    private final CountedCalls calls = new CountedCalls(store);
    private final AtomicLong seeds = new AtomicLong();
    private final Election election = Election.lease("orders")
            .store(calls)
            .ttl(TTL)
            .threads(threads, seeds::incrementAndGet)
            .open();
    private final LogLines log = new LogLines("");

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void a_store_that_is_away_at_the_start_is_named() {
        store.fault(Fault.AWAY);
        LeaseCandidate candidate = join();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_AWAY);
        assertThat(candidate.explain().sentence())
                .isEqualTo("the store returns no usable answer: set to be away; the store has not answered yet");
        LeaseObserver observer = election.observe();
        threads.settle();
        assertThat(observer.explain().reason()).isEqualTo(Reason.STORE_AWAY);

        store.fault(Fault.NONE);
        threads.pass(TTL);
        assertThat(candidate.explain().reason()).isEqualTo(Reason.LEADING);
        assertThat(observer.explain().reason()).isEqualTo(Reason.OBSERVING);
    }

    @Test
    void a_store_that_hangs_is_named_after_the_request_timeout() {
        threads.storeThreadsBusy(true);
        LeaseCandidate candidate = join();
        threads.pass(TTL);
        assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_AWAY);
        assertThat(lines()).hasSize(1);
    }

    @Test
    void a_missing_right_to_read_is_logged_once_and_the_store_is_asked_about_once_per_ttl() {
        store.fault(Fault.REFUSED);
        LeaseCandidate candidate = join();
        threads.pass(TTL.multipliedBy(5));
        assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_REFUSES);
        assertThat(candidate.explain().sentence()).contains(READ);
        assertThat(lines()).containsExactly("the store rejects the requests of this process: " + READ);
        assertThat(calls.reads).isBetween(4, 8);

        store.fault(Fault.NONE);
        threads.pass(TTL.multipliedBy(2));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(lines()).endsWith("the store accepts the requests again", "leads in term 1");
    }

    @Test
    void a_missing_right_to_write_is_logged_once_although_the_reads_succeed() {
        store.fault(Fault.WRITES_REFUSED);
        LeaseCandidate candidate = join();
        threads.pass(TTL.multipliedBy(5));
        assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_REFUSES);
        assertThat(candidate.explain().sentence()).contains(WRITE);
        assertThat(lines()).containsExactly("the store rejects the requests of this process: " + WRITE);
        assertThat(calls.writes).isBetween(4, 8);
    }

    @Test
    void a_read_does_not_log_that_the_store_accepts_the_requests_again() {
        store.fault(Fault.WRITES_REFUSED);
        LeaseCandidate candidate = join();
        Election ofAnother = Election.lease("orders")
                .store(shared)
                .ttl(TTL)
                .threads(threads, seeds::incrementAndGet)
                .open();
        LeaseCandidate other = ofAnother.join("b");
        threads.pass(TTL.multipliedBy(3));
        assertThat(candidate.explain().reason()).isEqualTo(Reason.HELD);
        assertThat(candidate.explain().sentence()).doesNotContain(WRITE);
        assertThat(lines())
                .containsExactly("the store rejects the requests of this process: " + WRITE, "\"b\" leads in term 1");

        store.fault(Fault.NONE);
        other.close();
        threads.pass(TTL.multipliedBy(3));
        assertThat(lines()).hasSize(4).endsWith("nobody leads", "leads in term 2");
    }

    @Test
    void a_leader_whose_writes_are_carried_out_and_rejected_logs_one_fault() {
        LeaseCandidate candidate = join();
        calls.rejectsWritten = true;
        threads.pass(TTL.multipliedBy(5));
        assertThat(lines().stream().filter(line -> line.startsWith("the store ")))
                .containsExactly("the store rejects the requests of this process: " + WRITE);

        calls.rejectsWritten = false;
        threads.pass(TTL.multipliedBy(2));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(lines().stream().filter(line -> line.startsWith("the store ")))
                .hasSize(2)
                .endsWith("the store accepts the requests again");
    }

    @Test
    void a_leader_that_loses_its_right_reports_each_change_in_one_line() {
        LeaseCandidate candidate = join();
        assertThat(candidate.isLeader()).isTrue();
        store.fault(Fault.WRITES_REFUSED);
        threads.pass(TTL.multipliedBy(4));
        assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_REFUSES);
        assertThat(lines())
                .containsExactly(
                        "leads in term 1",
                        "the store rejects the requests of this process: " + WRITE,
                        "missed a renewal in term 1 and leads for at most 6000 ms more unless a renewal succeeds: "
                                + WRITE,
                        "lost the leadership in term 1 (the lease expired)");
    }

    @Test
    void each_minute_without_a_leader_is_logged_with_the_reason() {
        store.fault(Fault.WRITES_REFUSED);
        join();
        log.lines().clear();
        threads.pass(MINUTE.multipliedBy(3));
        String why = " s: the store rejects the requests of this process: " + WRITE;
        assertThat(lines())
                .containsExactly(
                        "nobody has led for 60" + why, "nobody has led for 120" + why, "nobody has led for 180" + why);
        assertThat(log.warnings()).hasSizeGreaterThanOrEqualTo(3);

        store.fault(Fault.NONE);
        threads.pass(MINUTE.multipliedBy(3));
        assertThat(lines()).hasSize(5).endsWith("the store accepts the requests again", "leads in term 1");
    }

    @Test
    void a_reminder_counts_from_the_loss_of_the_leader_and_contains_a_pause() {
        LeaseCandidate candidate = join();
        election.control("ops").pause("upgrade");
        threads.pass(TTL);
        log.lines().clear();
        threads.pass(MINUTE);
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("nobody has led for 60 s: the election was paused by");
        candidate.close();
        threads.pass(MINUTE.multipliedBy(2));
        assertThat(lines()).as("a closed candidate logs no reminder").hasSize(1);
    }

    @Test
    void the_log_contains_sentences_and_no_saved_state() throws Exception {
        LeaseCandidate candidate = join();
        candidate.leadership().orElseThrow().save(SavedState.ofText("s3cret"));
        threads.pass(TTL);
        candidate.resign();
        threads.pass(TTL.multipliedBy(3));
        assertThat(log.lines()).noneMatch(line -> line.contains("s3cret") || line.contains("["));
        assertThat(lines())
                .containsExactly("leads in term 1", "lost the leadership in term 1 (resigned)", "leads in term 2");
    }

    @Test
    void a_session_that_cannot_be_held_names_the_fault_of_the_store() {
        store.fault(Fault.WRITES_REFUSED);
        try (Elections many = Elections.lease()
                .store(calls)
                .ttl(TTL)
                .threads(threads, seeds::incrementAndGet)
                .process("p")
                .open()) {
            LeaseCandidate candidate = many.named("bills").join("b");
            threads.pass(TTL);
            assertThat(candidate.explain().reason()).isEqualTo(Reason.STORE_REFUSES);
            assertThat(candidate.explain().sentence()).contains(WRITE);
            store.fault(Fault.NONE);
            threads.pass(TTL.multipliedBy(3));
            assertThat(candidate.isLeader()).isTrue();
        }
    }

    private LeaseCandidate join() {
        LeaseCandidate candidate = election.join("a");
        threads.settle();
        return candidate;
    }

    /** Returns the lines about the candidate, without the names. */
    private List<String> lines() {
        String prefix = "election=orders candidate=a ";
        return log.lines().stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    /** Counts the calls of the store. */
    private static final class CountedCalls extends ForwardingLeaseStore {
        int reads;
        int writes;

        /** True if the store carries out the writes and then rejects them. */
        boolean rejectsWritten;

        CountedCalls(FaultyLeaseStore behind) {
            super(behind);
        }

        @Override
        public VersionedLease read(String name) {
            reads++;
            return behind().read(name);
        }

        @Override
        public CasOutcome compareAndSet(String name, LeaseVersion expected, LeaseRecord next) {
            writes++;
            CasOutcome outcome = behind().compareAndSet(name, expected, next);
            return rejectsWritten && outcome instanceof CasOutcome.Written
                    ? new CasOutcome.Unknown(WRITE, true)
                    : outcome;
        }
    }
}
