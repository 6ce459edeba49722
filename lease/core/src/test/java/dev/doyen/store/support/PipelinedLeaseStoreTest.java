package dev.doyen.store.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests calls that reach their deadline before the store has answered all requests.
 *
 * <p>The test moves the clock. The store sends two requests at once.
 */
@Timeout(300)
class PipelinedLeaseStoreTest {

    private static final Duration TIMEOUT = Duration.ofHours(1);
    private static final String LATE = "no answer in time";
    private static final String NOT_SENT = "no time was left to send the request";

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);
    private final List<String> sent = new ArrayList<>();
    private final Set<String> answered = Set.of("a", "b", "d");
    private final Map<String, RuntimeException> faults = new HashMap<>();
    private final PipelinedLeaseStore store = new PartlyAnsweringStore();

    /** The election whose request takes the time up to the deadline. */
    private String slow = "";

    /** The wait for a connection that lasts until the deadline, counted from 1; 0 for none. */
    private int slowConnection;

    @Test
    void a_read_of_many_elections_returns_the_answers_that_arrived_in_time() {
        slow = "c";
        assertThat(store.readAll(List.of("a", "b", "c", "d", "e"))).containsOnlyKeys("a", "b", "d");
        assertThat(sent).as("nothing is sent after the deadline").containsExactly("a", "b", "c", "d");
    }

    @Test
    void a_read_of_many_elections_sends_nothing_after_a_long_wait_for_a_connection() {
        slowConnection = 2;
        assertThat(store.readAll(List.of("a", "b", "d"))).containsOnlyKeys("a", "b");
        assertThat(sent).containsExactly("a", "b");
    }

    @Test
    void a_read_of_many_elections_fails_if_no_answer_arrived_in_time() {
        slow = "e";
        assertThatThrownBy(() -> store.readAll(List.of("c", "e", "a")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the test did not answer a read: " + LATE);
        assertThat(sent).containsExactly("c", "e");
    }

    @Test
    void a_failure_before_the_deadline_fails_a_read_of_many_elections() {
        faults.put("b", new IllegalStateException("broken"));
        assertThatThrownBy(() -> store.readAll(List.of("a", "b", "d")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the test did not answer a read: IllegalStateException: broken");
        assertThat(sent).containsExactly("a", "b");
    }

    @Test
    void a_failure_after_the_deadline_does_not_discard_the_answers() {
        slow = "b";
        faults.put("a", new IllegalStateException("broken"));
        assertThat(store.readAll(List.of("a", "b", "d"))).containsOnlyKeys("b");
    }

    @Test
    void an_unreadable_record_does_not_discard_the_answers_that_arrived_in_time() {
        slow = "c";
        faults.put("a", new UnreadableRecordException("the record of the test is unreadable"));
        assertThat(store.readAll(List.of("a", "b", "c", "d"))).containsOnlyKeys("b", "d");
    }

    @Test
    void a_read_is_not_sent_after_a_long_wait_for_a_connection() {
        slowConnection = 1;
        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the test did not answer a read: " + NOT_SENT);
        assertThat(sent).isEmpty();
    }

    @Test
    void a_write_is_not_sent_after_the_deadline() {
        slow = "d";
        List<CasOutcome> outcomes = store.compareAndSetAll(List.of(write("c"), write("d"), write("a")));

        assertThat(outcomes)
                .containsExactly(
                        unknown("c", LATE), new CasOutcome.Written(LeaseVersion.of(1)), unknown("a", NOT_SENT));
        assertThat(sent).containsExactly("c", "d");
    }

    private static CasOutcome unknown(String election, String why) {
        return new CasOutcome.Unknown("the lease of \"" + election + "\" could not be written to the test: " + why);
    }

    private static LeaseStore.Write write(String election) {
        LeaseRecord record = LeaseRecord.unheld(election, 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
        return new LeaseStore.Write(LeaseVersion.ABSENT, record);
    }

    /** A store that answers only requests for some elections. */
    private final class PartlyAnsweringStore extends PipelinedLeaseStore {

        private int connections;

        PartlyAnsweringStore() {
            super("the test", TIMEOUT, 2, clock::get);
        }

        @Override
        protected void awaitConnection(Duration atMost) {
            connections++;
            if (connections == slowConnection) {
                clock.addAndGet(atMost.toNanos());
            }
        }

        @Override
        protected List<CompletableFuture<VersionedLease>> sendReads(List<String> elections) {
            return elections.stream()
                    .map(each -> answer(each, VersionedLease.ABSENT))
                    .toList();
        }

        @Override
        protected CompletableFuture<CasOutcome> send(LeaseStore.Write write) {
            return answer(write.next().election(), new CasOutcome.Written(LeaseVersion.of(1)));
        }

        private <T> CompletableFuture<T> answer(String election, T answer) {
            sent.add(election);
            if (election.equals(slow)) {
                clock.addAndGet(TIMEOUT.toNanos());
            }
            if (faults.containsKey(election)) {
                return CompletableFuture.failedFuture(faults.get(election));
            }
            return answered.contains(election) ? CompletableFuture.completedFuture(answer) : new CompletableFuture<>();
        }

        @Override
        public LeaseStore.Promises promises() {
            return new LeaseStore.Promises(true, true, "the test");
        }

        @Override
        public void close() {}
    }
}
