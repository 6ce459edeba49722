package dev.doyen.lease;

import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.heldBy;
import static dev.doyen.lease.Stage.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.health.Eligibility;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each explanation contains the reason, the names and the times. */
class ExplainerTest {

    private static final String OTHER_HOLDS = "\"other\" holds term 3, taken at 1970-01-01T00:00:00Z";

    @Test
    void before_the_first_read() {
        explains(new Stage(), Reason.NOT_SEEN, "has not been read yet", "the store has not answered yet");
    }

    @Test
    void of_an_observer() {
        explains(new Stage().wake().found(VersionedLease.ABSENT), Reason.OBSERVING, "observes; nobody leads");
        explains(new Stage().wake().found(heldBy(OTHER, 3, "a")), Reason.OBSERVING, "observes; " + OTHER_HOLDS);
    }

    @Test
    void of_a_leader() {
        Stage stage = Stage.leading();
        explains(stage, Reason.LEADING, "leads in term 1");
        stage.pass(2_000).wake().answered(new CasOutcome.Unknown("timed out")).pass(100);
        explains(stage, Reason.IN_JEOPARDY, "leads in term 1, but", "answered 2100 ms ago");
    }

    @Test
    void of_a_candidate_that_closes() {
        Stage stage = Stage.leading().leave();
        explains(stage, Reason.STOPPING, "term 1 has ended (CLOSED)", "has not stopped yet");
        assertThat(explanation(stage).sentence()).doesNotContain("even if the work continues");
        stage.workStopped(1);
        explains(stage, Reason.RELEASING, "the lease is being");
        stage.written("2");
        explains(stage, Reason.GONE, "closed");
    }

    @ParameterizedTest
    @CsvSource({
        "PAUSED, CANDIDATE_PAUSED, paused",
        "WITHOUT_TASK, WITHOUT_TASK, whileLeading",
        "UNFIT, UNHEALTHY, health check"
    })
    void of_a_candidate_that_is_not_eligible(Eligibility eligibility, Reason reason, String fragment) {
        Stage stage = new Stage().campaign().found(heldBy(OTHER, 3, "a"));
        stage.take(new LeaseInput.EligibilityChanged(stage.now(), eligibility));
        explains(stage, reason, fragment, OTHER_HOLDS);
    }

    @Test
    void of_a_candidate_that_waits_for_the_lease_to_expire() {
        Stage stage = new Stage().campaign().found(heldBy(OTHER, 3, "a")).pass(1_000);
        explains(stage, Reason.HELD, OTHER_HOLDS, "can be taken in 9000 ms");
    }

    @Test
    void of_a_candidate_that_acquires_the_lease() {
        Stage stage = new Stage().campaign().found(released(3, "a")).pass(50);
        explains(stage, Reason.TAKING, "is free and is being taken", "answered 50 ms ago");
    }

    @Test
    void of_a_candidate_in_its_cooldown() {
        Stage stage = Stage.leading().resign(Duration.ofSeconds(5)).workStopped(1);
        stage.written("2").pass(1_000);
        explains(stage, Reason.COOLDOWN, "is free", "4000 ms");
    }

    @Test
    void of_a_candidate_that_leaves_the_lease_to_the_successor() { // M2
        LeaseNotes notes =
                LeaseNotes.NONE.withSuccessor(Optional.of(new LeaseNotes.Successor("n7", Duration.ofSeconds(5))));
        Stage stage =
                new Stage().campaign().found(noted(released(3, "a"), notes)).pass(1_000);
        explains(stage, Reason.SUCCESSOR_FIRST, "only \"n7\" may take it for another 4000 ms");
    }

    @Test
    void of_a_candidate_of_last_resort() { // M6
        Stage stage = new Stage();
        stage.take(new LeaseInput.EligibilityChanged(stage.now(), Eligibility.LAST_RESORT));
        stage.campaign().found(released(3, "a")).pass(1_000);
        explains(stage, Reason.PREFERRED_FIRST, "other candidates may take it first, for another 14000 ms");
    }

    @Test
    void of_a_paused_election() { // M1
        var pause = new LeaseNotes.Pause("ops", "moving house", Instant.EPOCH);
        Stage stage =
                new Stage().campaign().found(noted(released(3, "a"), LeaseNotes.NONE.withPause(Optional.of(pause))));
        explains(stage, Reason.ELECTION_PAUSED, "by ops at 1970-01-01T00:00:00Z (moving house)");
        var silent = new LeaseNotes.Pause("ops", "", Instant.EPOCH);
        stage = new Stage().campaign().found(noted(released(3, "a"), LeaseNotes.NONE.withPause(Optional.of(silent))));
        assertThat(explanation(stage).sentence()).endsWith("by ops at 1970-01-01T00:00:00Z");
    }

    @Test
    void of_a_store_that_is_away_before_the_first_answer() {
        Stage stage = new Stage().campaign().failed(StoreFault.away("connection refused"));
        explains(stage, Reason.STORE_AWAY, "connection refused", "the store has not answered yet");
        stage.sleepAndWake().found(released(3, "a"));
        explains(stage, Reason.TAKING, "is free and is being taken");
    }

    @Test
    void of_a_store_that_does_not_answer_in_time() {
        Stage stage = new Stage().campaign().pass(2_000).wake();
        explains(stage, Reason.STORE_AWAY, "no answer within 2000 ms", "the store has not answered yet");
    }

    @Test
    void of_a_store_that_is_away_while_the_lease_is_free() {
        Stage stage = new Stage().campaign().found(released(3, "a"));
        stage.answered(new CasOutcome.Unknown("the disk is full")).pass(100);
        explains(stage, Reason.STORE_AWAY, "the disk is full", "answered 100 ms ago");
        // The reads succeed, and the candidate needs a write.
        stage.sleepAndWake().found(released(3, "a"));
        explains(stage, Reason.STORE_AWAY, "the disk is full");
    }

    @Test
    void of_a_store_that_rejects_reads() {
        Stage stage = new Stage().campaign().failed(new StoreFault(true, "no right to read; grant it"));
        explains(stage, Reason.STORE_REFUSES, "rejects the requests of this process: no right to read; grant it");
    }

    @Test
    void of_a_store_that_rejects_writes() {
        Stage stage = new Stage().campaign().found(released(3, "a"));
        stage.answered(new CasOutcome.Unknown("no right to write; grant it", true))
                .pass(1_000);
        explains(stage, Reason.STORE_REFUSES, "rejects the requests of this process: no right to write; grant it");
        stage.wake();
        stage.found(heldBy(OTHER, 4, "b"));
        explains(stage, Reason.HELD, "\"other\" holds term 4");
        assertThat(explanation(stage).sentence()).doesNotContain("rejects");
    }

    @Test
    void of_a_leader_and_of_an_observer_without_a_right() {
        Stage stage = Stage.leading();
        stage.pass(2_000).wake().answered(new CasOutcome.Unknown("no right to write; grant it", true));
        explains(stage, Reason.IN_JEOPARDY, "leads in term 1, but", "no right to write; grant it");
        stage = new Stage().wake().found(heldBy(OTHER, 3, "a")).sleepAndWake();
        stage.failed(new StoreFault(true, "no right to read; grant it"));
        explains(stage, Reason.OBSERVING, OTHER_HOLDS, "no right to read; grant it");
        stage.pass(10_000).wake();
        explains(stage, Reason.STORE_REFUSES, "no right to read; grant it");
    }

    @Test
    void of_a_process_that_cannot_hold_its_session() {
        var underSession = new LeaseMachine(
                "orders",
                LeaseTiming.ofTtl(Duration.ofSeconds(10)),
                RenewalMode.RENEWS_SESSION,
                Priority.DEFAULT,
                true,
                7);
        var stage = new Stage(underSession).campaign().found(released(3, "a"));
        assertThat(explanation(stage).reason()).isEqualTo(Reason.NO_SESSION);
        var refused = new StoreFault(true, "no right to write; grant it");
        Explanation explanation = stage.machine.explain(stage.state, Sessions.NONE, Optional.of(refused), stage.now());
        assertThat(explanation.reason()).isEqualTo(Reason.STORE_REFUSES);
        assertThat(explanation.sentence()).contains("no right to write; grant it");
    }

    private static VersionedLease noted(VersionedLease lease, LeaseNotes notes) {
        return VersionedLease.of(lease.version(), lease.record().orElseThrow().noting(notes, "noted"));
    }

    private static void explains(Stage stage, Reason reason, String... parts) {
        assertThat(explanation(stage).reason()).isEqualTo(reason);
        assertThat(explanation(stage).sentence()).contains(parts);
    }

    private static Explanation explanation(Stage stage) {
        return stage.machine.explain(stage.state, Sessions.NONE, Optional.empty(), stage.now());
    }
}
