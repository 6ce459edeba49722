package dev.doyen.lease;

import static dev.doyen.lease.Stage.heldBy;
import static dev.doyen.lease.Stage.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests how often a machine repeats a request that the store rejects because of a missing right. */
class RefusedRequestsTest {

    private static final long TTL_MILLIS = 10_000;
    private static final StoreFault READ = new StoreFault(true, "no right to read; grant it");
    private static final CasOutcome.Unknown WRITE = new CasOutcome.Unknown("no right to write; grant it", true);

    @Test
    void a_rejected_read_is_repeated_about_once_per_ttl() {
        Stage stage = new Stage().campaign();
        long begun = stage.now().nanos();
        for (int i = 0; i < 10; i++) {
            stage.failed(READ).sleepAndWake();
            assertThat(stage.readAnswered()).as("the next read").isTrue();
        }
        assertThat(Duration.ofNanos(stage.now().nanos() - begun))
                .isBetween(Duration.ofMillis(8 * TTL_MILLIS), Duration.ofMillis(12 * TTL_MILLIS + 10));
    }

    @Test
    void a_rejected_acquire_is_repeated_about_once_per_ttl_and_the_reads_continue() {
        Stage stage = new Stage().campaign().found(released(3, "a"));
        int acquires = 0;
        int reads = 0;
        long end = stage.now().nanos() + Duration.ofMillis(10 * TTL_MILLIS).toNanos();
        while (stage.now().nanos() < end) {
            if (stage.wrote()) {
                acquires++;
                stage.answered(WRITE);
            } else if (stage.hasPending()) {
                reads++;
                stage.found(released(3, "a"));
            }
            if (!stage.hasPending()) {
                stage.sleepAndWake();
            }
        }
        assertThat(acquires).isBetween(8, 14);
        assertThat(reads).as("a read every tenth of the ttl").isBetween(70, 130);
    }

    @Test
    void an_acquire_succeeds_after_the_right_was_granted() {
        Stage stage = new Stage().campaign().found(released(3, "a")).answered(WRITE);
        assertThat(stage.state.storeFault()).map(StoreFault::refused).contains(true);
        while (!stage.wrote()) {
            stage.sleepAndWake();
            if (!stage.wrote()) {
                stage.found(released(3, "a"));
            }
        }
        stage.written("b");
        assertThat(stage.leads()).isTrue();
        assertThat(stage.state.storeFault()).isEmpty();
    }

    @Test
    void a_leader_repeats_a_rejected_renewal_at_the_ordinary_rate_and_can_recover() {
        Stage stage = Stage.leading().pass(2_000).wake().answered(WRITE);
        assertThat(stage.events()).hasOnlyElementsOfType(ElectionEvent.Jeopardy.class);
        stage.pass(1_999).wake();
        assertThat(stage.wrote()).as("a renewal before its time").isFalse();
        stage.pass(1).wake();
        assertThat(stage.wrote()).isTrue();
        stage.written("2");
        assertThat(stage.events()).containsExactly(new ElectionEvent.Recovered(1));
        assertThat(stage.leads()).isTrue();
    }

    @Test
    void a_follower_that_need_not_write_forgets_a_rejected_write() {
        Stage stage = new Stage().campaign().found(released(3, "a")).answered(WRITE);
        stage.sleepAndWake().found(released(3, "a"));
        assertThat(stage.state.storeFault()).as("the lease is still free").isPresent();
        stage.sleepAndWake().found(heldBy(Stage.OTHER, 4, "b"));
        assertThat(stage.state.storeFault()).as("another candidate leads").isEmpty();
    }

    @Test
    void a_conflict_does_not_show_that_the_store_accepts_writes() {
        Stage stage = Stage.leading().pass(2_000).wake();
        LeaseRecord renewed = stage.write().next();
        stage.answered(WRITE).pass(2_000).wake();
        stage.answered(new CasOutcome.Conflict(VersionedLease.of(new LeaseVersion("2"), renewed)));
        assertThat(stage.leads()).isTrue();
        assertThat(stage.state.storeFault()).map(StoreFault::refused).contains(true);
        stage.written("3");
        assertThat(stage.state.storeFault()).isEmpty();
    }

    @Test
    void a_missing_right_is_named_although_the_reads_fail_too() {
        Stage stage = new Stage().campaign().found(released(3, "a")).answered(WRITE);
        while (!stage.readAnswered()) {
            stage.sleepAndWake();
        }
        stage.failed(StoreFault.away("no answer"));
        assertThat(stage.state.storeFault()).contains(new StoreFault(true, WRITE.reason()));
        assertThat(stage.machine
                        .explain(stage.state, Sessions.NONE, Optional.empty(), stage.now())
                        .reason())
                .isEqualTo(Explanation.Reason.STORE_REFUSES);
    }

    @Test
    void a_rejected_step_down_request_does_not_delay_the_next_acquire() {
        var machine =
                new LeaseMachine("orders", Stage.TIMING, RenewalMode.RENEWS_LEASE, Priority.returning(100), false, 7);
        Stage stage = new Stage(machine).campaign();
        for (int i = 0; !stage.wrote(); i++) {
            LeaseRecord held = Stage.record(Stage.OTHER, 4, "n" + i);
            stage.found(VersionedLease.of(
                    new LeaseVersion("b" + i), held.noting(LeaseNotes.NONE.heldWith(10, 0), "note" + i)));
            if (!stage.wrote()) {
                stage.sleepAndWake();
            }
        }
        assertThat(stage.write().kind()).isEqualTo(RequestKind.STEP_DOWN_REQUEST);
        stage.answered(WRITE);
        while (!stage.readAnswered()) {
            stage.sleepAndWake();
        }
        stage.found(released(4, "c"));
        assertThat(stage.wrote()).as("an acquire").isTrue();
    }
}
