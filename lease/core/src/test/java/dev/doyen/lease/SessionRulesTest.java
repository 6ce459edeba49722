package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests rule L12 step by step, with one machine. The test itself sets the observed sessions.
 *
 * <p>This class is longer than most tests, because one file contains most cases of this rule.
 */
class SessionRulesTest {

    private static final Identity ME = new Identity("me", "me-1");
    private static final Identity PROCESS = new Identity("process", "process-1");
    private static final String OWN = "~session/1";
    private static final String OWN_OTHER = "~session/9";
    private static final String THEIRS = "~session/2";

    private LeaseMachine machine =
            new LeaseMachine("orders", Stage.TIMING, RenewalMode.RENEWS_SESSION, Priority.DEFAULT, true, 7);
    private long nanos = 1_000_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;
    private LeaseState state = machine.begin(now());
    private List<LeaseEffect> effects = List.of();
    private long wakeAtNanos;
    private Optional<OwnSession> own = Optional.empty();
    private Optional<ObservedSession> theirs = Optional.empty();

    @Test
    void a_lease_with_a_session_leads_as_long_as_the_session_is_held() {
        leadInEpoch(4);
        pass(Duration.ofHours(1));
        wake();
        assertThat(state.leaderLeaseWithin(own.orElseThrow()).orElseThrow().holdsAt(now()))
                .isTrue();
        assertThat(wrote()).isFalse();
        passUnrenewed(Duration.ofSeconds(8));
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
    }

    @Test
    void without_a_session_no_lease_is_acquired() {
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(wrote()).isFalse();
    }

    @Test
    void an_acquisition_answered_in_a_later_epoch_is_not_a_leadership() {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.of(session(5, now()));
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
        assertThat(write().next().epoch()).as("the lease is requested again").contains(new LeaseRecord.Epoch(OWN, 5));
        assertThat(write().next().term()).isEqualTo(2);
    }

    @Test
    void an_acquisition_answered_under_another_session_record_is_not_a_leadership() {
        own = Optional.of(session(1, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.of(session(OWN_OTHER, 1, now()));
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
        assertThat(write().next().epoch())
                .as("the request is sent again")
                .contains(new LeaseRecord.Epoch(OWN_OTHER, 1));
        assertThat(write().next().term()).isEqualTo(2);
    }

    @Test
    void a_leader_whose_process_has_another_session_record_stops_leading() {
        leadInEpoch(1);
        own = Optional.of(session(OWN_OTHER, 1, now()));
        assertThat(state.leadsWithin(own.orElseThrow(), now())).isFalse();
        assertThat(state.leaderLeaseWithin(own.orElseThrow())).isEmpty();
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
    }

    @Test
    void an_acquisition_answered_without_a_session_is_not_a_leadership() {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.empty();
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
    }

    @Test
    void a_leader_whose_session_has_another_epoch_stops_leading() {
        leadInEpoch(4);
        own = Optional.of(session(5, now()));
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
        assertThat(state.leaderLeaseWithin(own.orElseThrow())).isEmpty();
    }

    @Test
    void a_lease_of_a_live_session_is_not_acquired_at_any_age() {
        observe(alive(3));
        pass(Duration.ofHours(1));
        theirs = Optional.of(alive(3));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(fenced()).isFalse();
    }

    @Test
    void a_lease_of_an_unread_session_is_not_acquired() {
        observe(null);
        pass(Duration.ofHours(1));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(fenced()).isFalse();
    }

    @Test
    void a_silent_session_is_fenced_before_its_lease_is_acquired() {
        observe(alive(3));
        theirs = Optional.of(new ObservedSession(3, true, nanos));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(effects).contains(new LeaseEffect.Fence(new LeaseRecord.Epoch(THEIRS, 3)));
        theirs = Optional.of(new ObservedSession(4, false, nanos));
        wake();
        assertThat(write().next().term()).isEqualTo(9);
        assertThat(write().next().epoch()).contains(new LeaseRecord.Epoch(OWN, 4));
    }

    @Test
    void a_released_session_needs_no_fence() {
        observe(alive(3));
        theirs = Optional.of(new ObservedSession(3, false, nanos));
        wake();
        assertThat(fenced()).isFalse();
        assertThat(wrote()).isTrue();
    }

    @Test
    void a_session_held_in_a_higher_epoch_needs_no_fence() {
        observe(alive(3));
        theirs = Optional.of(alive(5));
        wake();
        assertThat(fenced()).isFalse();
        assertThat(wrote()).isTrue();
    }

    @Test
    void a_deleted_record_of_a_live_session_is_not_free() {
        observe(alive(3));
        readAnswered(VersionedLease.ABSENT);
        pass(Duration.ofMinutes(1));
        wake();
        readAnswered(VersionedLease.ABSENT);
        assertThat(wrote()).isFalse();
        theirs = Optional.of(new ObservedSession(4, false, nanos));
        wake();
        assertThat(write().next().term()).isEqualTo(9);
    }

    @Test
    void only_a_session_that_was_silent_for_W_is_fenced_in_a_higher_epoch() {
        LeaseEffect.Write fence = fenceOf(new LeaseMachine(THEIRS, Stage.TIMING, true, 7));
        assertThat(fence.expected()).isEqualTo(new LeaseVersion("17"));
        assertThat(fence.next().term()).isEqualTo(4);
        assertThat(fence.next().isHeld()).isFalse();
    }

    @Test
    void two_observers_fence_with_different_nonces() {
        LeaseEffect.Write one = fenceOf(new LeaseMachine(THEIRS, Stage.TIMING, true, 7));
        LeaseEffect.Write other = fenceOf(new LeaseMachine(THEIRS, Stage.TIMING, true, 8));
        assertThat(one.next().nonce()).isNotEqualTo(other.next().nonce());
    }

    /** Returns the write by which an observer fences a session, after the session was silent for W. */
    private LeaseEffect.Write fenceOf(LeaseMachine follower) {
        LeaseState following = follower.begin(now());
        LeaseStep step = follower.step(following, new LeaseInput.Woken(now()));
        VersionedLease held = VersionedLease.of(
                new LeaseVersion("17"),
                new LeaseRecord(
                        THEIRS,
                        "other",
                        "other-1",
                        3,
                        "n",
                        Stage.TIMING.ttl(),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        SavedState.EMPTY,
                        0));
        step = follower.step(step.next(), new LeaseInput.ReadAnswered(now(), 1, held));
        pass(Duration.ofMillis(9_999));
        LeaseStep early = follower.step(step.next(), new LeaseInput.Fence(now(), 3));
        assertThat(early.effects()).noneMatch(LeaseEffect.Write.class::isInstance);
        // A read is in flight, and the machine never has two requests in flight. So the test first answers the read.
        LeaseState readAnswered = answeredSame(follower, early.next(), held);
        pass(Duration.ofMillis(1));
        LeaseStep late = follower.step(readAnswered, new LeaseInput.Fence(now(), 3));
        return late.effects().stream()
                .filter(LeaseEffect.Write.class::isInstance)
                .map(LeaseEffect.Write.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_missed_session_renewal_is_reported_as_jeopardy_until_the_next_renewal() {
        leadInEpoch(4);
        take(new LeaseInput.SessionDoubted(now(), "timed out"));
        assertThat(events()).containsExactly(new ElectionEvent.Jeopardy(1, Duration.ofSeconds(8), "timed out"));
        take(new LeaseInput.SessionDoubted(now(), "timed out"));
        assertThat(events()).isEmpty();
        take(new LeaseInput.SessionRecovered(now()));
        assertThat(events()).containsExactly(new ElectionEvent.Recovered(1));
    }

    private LeaseState answeredSame(LeaseMachine follower, LeaseState at, VersionedLease held) {
        LeaseState.Request request = at.inFlight();
        return request == null
                ? at
                : follower.step(at, new LeaseInput.ReadAnswered(now(), request.number(), held))
                        .next();
    }

    @Test
    void work_that_does_not_stop_keeps_the_record_for_W_and_no_longer() { // L12.6
        leadInEpoch(4);
        take(new LeaseInput.Resign(now(), 0, Duration.ZERO, ""));
        pass(Stage.TIMING.ttl().minusMillis(1));
        wake();
        assertThat(wrote()).isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(write().next().isHeld()).isFalse();

        answered(new CasOutcome.Unknown("timed out"));
        assertThat(wakeAtNanos - nanos).isEqualTo(machine.retryPauseNanos());
        pass(Duration.ofMillis(499));
        wake();
        assertThat(wrote())
                .as("no request before the delay after a failure has passed")
                .isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(write().expected()).isEqualTo(new LeaseVersion("1"));

        LeaseRecord mine = state.observed().record().orElseThrow();
        answered(new CasOutcome.Conflict(VersionedLease.of(new LeaseVersion("5"), mine.noting(mine.notes(), "n5"))));
        assertThat(write().expected()).isEqualTo(new LeaseVersion("5"));
        written("6");
        pass(Stage.TIMING.ttl().multipliedBy(2));
        wake();
        assertThat(wrote()).as("the lease is released only once").isFalse();
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(effects).contains(new LeaseEffect.Settled());
    }

    @Test
    void a_leader_whose_record_was_released_writes_nothing() { // L12.6
        leadInEpoch(4);
        take(new LeaseInput.Resign(now(), 0, Duration.ZERO, ""));
        pass(Stage.TIMING.ttl());
        wake();
        written("6");
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(wrote()).isFalse();
        assertThat(effects).contains(new LeaseEffect.Settled());
    }

    @Test
    void a_former_leader_replaces_its_deleted_record_and_campaigns() { // L12.6
        loseDeletedRecord();
        take(new LeaseInput.WorkStopped(now(), 1));
        assertReplacesDeletedRecord();
        written("2");
        assertThat(write().expected()).isEqualTo(new LeaseVersion("2"));
        assertThat(write().next().term()).isEqualTo(2);
        assertThat(write().next().epoch()).contains(new LeaseRecord.Epoch(OWN, 4));
    }

    @Test
    void a_former_leader_that_leaves_replaces_its_deleted_record() { // L12.6
        loseDeletedRecord();
        take(new LeaseInput.Leave(now()));
        take(new LeaseInput.WorkStopped(now(), 1));
        assertReplacesDeletedRecord();
        written("2");
        assertThat(state.hasEnded()).isTrue();
    }

    @Test
    void a_record_that_was_deleted_before_its_release_is_replaced() { // L12.6
        leadInEpoch(4);
        take(new LeaseInput.Resign(now(), 0, Duration.ZERO, ""));
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(write().expected()).isEqualTo(new LeaseVersion("1"));
        answered(new CasOutcome.Conflict(VersionedLease.ABSENT));
        assertReplacesDeletedRecord();
    }

    @Test
    void a_deleted_record_is_replaced_after_W_although_the_work_continues() { // L12.6
        loseDeletedRecord();
        pass(Stage.TIMING.ttl().minusMillis(1));
        wake();
        assertThat(wrote()).isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertReplacesDeletedRecord();
        written("2");
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(write().next().isHeld()).as("the candidate campaigns").isTrue();
    }

    @Test
    void a_deleted_record_of_a_later_term_is_not_replaced() { // L12.6
        leadInEpoch(4);
        theirs = Optional.of(alive(3));
        pass(Duration.ofSeconds(1));
        readAnswered(Stage.heldUnder(new LeaseRecord.Epoch(THEIRS, 3), LeaseNotes.NONE));
        readAnswered(VersionedLease.ABSENT);
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(wrote()).isFalse();
    }

    @Test
    void a_leader_that_leaves_after_a_stale_read_releases_its_lease() { // L12.6
        leadInTerm8();
        readAnswered(Stage.released(7, "7"));
        assertThat(events()).contains(new ElectionEvent.Lost(8, LossCause.SUPERSEDED));
        take(new LeaseInput.Leave(now()));
        take(new LeaseInput.WorkStopped(now(), 8));
        assertThat(write().expected()).isEqualTo(new LeaseVersion("8"));
        assertThat(write().next().isHeld()).isFalse();
        assertThat(write().next().term()).isEqualTo(8);
        written("9");
        assertThat(state.hasEnded()).isTrue();
    }

    @Test
    void a_leader_releases_its_lease_W_after_a_stale_read_although_the_work_continues() { // L12.6
        leadInTerm8();
        readAnswered(Stage.released(7, "7"));
        pass(Stage.TIMING.ttl().minusMillis(1));
        wake();
        assertThat(wrote()).isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(write().expected()).isEqualTo(new LeaseVersion("8"));
        assertThat(write().next().isHeld()).isFalse();
    }

    @Test
    void a_stale_read_does_not_end_a_release() { // L12.6
        leadInTerm8();
        VersionedLease mine = VersionedLease.of(
                new LeaseVersion("8"), state.observed().record().orElseThrow());
        take(new LeaseInput.Leave(now()));
        take(new LeaseInput.WorkStopped(now(), 8));
        answered(new CasOutcome.Unknown("timed out"));
        sleepAndWake();
        readAnswered(Stage.released(7, "7"));
        assertThat(state.hasEnded()).isFalse();
        sleepAndWake();
        readAnswered(mine);
        assertThat(write().expected()).isEqualTo(new LeaseVersion("8"));
        written("9");
        assertThat(state.hasEnded()).isTrue();
    }

    private void sleepAndWake() {
        pass(Duration.ofNanos(wakeAtNanos - nanos));
        wake();
    }

    @Test
    void a_leader_whose_term_the_store_has_lost_releases_nothing() { // L12.6
        leadInTerm8();
        VersionedLease older = Stage.heldBy(Stage.OTHER, 5, "5");
        readAnswered(older);
        take(new LeaseInput.Leave(now()));
        take(new LeaseInput.WorkStopped(now(), 8));
        answered(new CasOutcome.Conflict(older));
        assertThat(wrote()).isFalse();
        assertThat(state.hasEnded()).isTrue();
    }

    /** Makes the candidate lead in term 8. The version of the record is "8". */
    private void leadInTerm8() {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(Stage.released(7, "7"));
        written("8");
        assertThat(events()).contains(new ElectionEvent.Elected(8, SavedState.ofText("left behind")));
        pass(Duration.ofSeconds(1));
    }

    /** Makes the candidate lead in epoch 4 and then read that its record was deleted. */
    private void loseDeletedRecord() {
        leadInEpoch(4);
        pass(Duration.ofSeconds(1));
        readAnswered(VersionedLease.ABSENT);
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.SUPERSEDED));
        readAnswered(VersionedLease.ABSENT);
    }

    private void assertReplacesDeletedRecord() {
        assertThat(write().expected()).isEqualTo(LeaseVersion.ABSENT);
        assertThat(write().next().isHeld()).isFalse();
        assertThat(write().next().term()).isEqualTo(1);
    }

    @Test
    void an_acquisition_of_unknown_outcome_is_overwritten_after_a_ttl() { // L12.6
        leaveAfterUnknownAcquire(VersionedLease.ABSENT);
        readAnswered(VersionedLease.absentAfter(5));
        giveUpRelease();
        assertThat(effects).contains(new LeaseEffect.Settled());
        assertThat(write().expected()).isEqualTo(LeaseVersion.ABSENT);
        assertThat(write().next().isHeld()).isFalse();
        assertThat(write().next().term()).isEqualTo(5);
        assertThat(write().next().nonce()).startsWith("me-1.");
        written("1");
        assertThat(state.hasEnded()).isTrue();
    }

    @Test
    void the_overwrite_of_a_pending_acquisition_keeps_the_content() { // L12.6
        VersionedLease free = Stage.released(7, "v9");
        leaveAfterUnknownAcquire(free);
        readAnswered(free);
        giveUpRelease();
        LeaseRecord before = free.record().orElseThrow();
        LeaseRecord after = write().next();
        assertThat(write().expected()).isEqualTo(free.version());
        assertThat(after.nonce()).startsWith("me-1.");
        assertThat(after).isEqualTo(before.noting(before.notes(), after.nonce()));
    }

    /** Makes the candidate leave after an acquire of unknown outcome. */
    private void leaveAfterUnknownAcquire(VersionedLease found) {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(found);
        assertThat(write().next().isHeld()).isTrue();
        answered(new CasOutcome.Unknown("timed out"));
        take(new LeaseInput.Leave(now()));
    }

    /**
     * Lets one ttl pass and renews the session of this process. Afterwards, the machine no longer waits for the
     * release.
     */
    private void giveUpRelease() {
        assertThat(state.hasEnded()).isFalse();
        pass(Stage.TIMING.ttl());
        wake();
    }

    @Test
    void a_leader_with_a_session_reads_announced_changes_except_its_own() {
        leadInEpoch(4);
        pass(Duration.ofMillis(499));
        take(new LeaseInput.ChangeAnnounced(now()));
        assertThat(state.inFlight()).isNull();
        pass(Duration.ofMillis(499));
        wake();
        assertThat(state.inFlight())
                .as("the read after the own write waits for its delay")
                .isNull();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(state.inFlight()).isNotNull();
        readAnswered(VersionedLease.of(
                new LeaseVersion("1"), state.observed().record().orElseThrow()));
        pass(Duration.ofMillis(500));
        take(new LeaseInput.ChangeAnnounced(now()));
        assertThat(state.inFlight())
                .as("a later announcement is not of the own write")
                .isNotNull();
    }

    @Test
    void a_stored_save_does_not_end_the_jeopardy_of_the_session() {
        leadInEpoch(4);
        take(new LeaseInput.SessionDoubted(now(), "no answer"));
        assertThat(events()).hasSize(1).first().isInstanceOf(ElectionEvent.Jeopardy.class);
        take(new LeaseInput.Save(now(), 1, SavedState.ofText("row 5")));
        written("2");
        assertThat(effects).contains(new LeaseEffect.Saved(1));
        assertThat(events()).isEmpty();
        take(new LeaseInput.SessionRecovered(now()));
        assertThat(events()).containsExactly(new ElectionEvent.Recovered(1));
        take(new LeaseInput.Save(now(), 2, SavedState.ofText("row 6")));
        written("3");
        take(new LeaseInput.SessionRecovered(now()));
        assertThat(events()).as("no jeopardy ends without a doubt").isEmpty();
    }

    @Test
    void a_save_without_an_answer_is_repeated_and_causes_no_jeopardy() {
        leadInEpoch(4);
        take(new LeaseInput.Save(now(), 1, SavedState.ofText("row 5")));
        answered(new CasOutcome.Unknown("timed out"));
        assertThat(events()).isEmpty();
        take(new LeaseInput.SessionRecovered(now()));
        assertThat(events()).isEmpty();
        pass(Duration.ofMillis(500));
        wake();
        assertThat(write().next().state().text()).isEqualTo("row 5");
    }

    @Test
    void a_repeated_request_does_not_shorten_the_delay_after_a_failed_fence() {
        machine = new LeaseMachine(THEIRS, Stage.TIMING, true, 7);
        state = machine.begin(now());
        wake();
        readAnswered(VersionedLease.of(new LeaseVersion("17"), Stage.record(Stage.OTHER, 3, "n")));
        pass(Stage.TIMING.ttl());
        take(new LeaseInput.Fence(now(), 3));
        if (!wrote()) {
            readAnswered(VersionedLease.of(new LeaseVersion("17"), Stage.record(Stage.OTHER, 3, "n")));
        }
        assertThat(write().next().term()).isEqualTo(4);
        answered(new CasOutcome.Unknown("timed out"));
        assertThat(wrote())
                .as("no request before the delay after a failure has passed")
                .isFalse();
        readAnswered(VersionedLease.of(new LeaseVersion("17"), Stage.record(Stage.OTHER, 3, "n")));
        assertThat(wakeAtNanos - nanos).isEqualTo(machine.retryPauseNanos());
        pass(Duration.ofMillis(499));
        take(new LeaseInput.Fence(now(), 3));
        assertThat(wrote()).isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(write().next().term()).isEqualTo(4);
    }

    private void answered(CasOutcome outcome) {
        take(new LeaseInput.Answered(now(), state.inFlight().number(), outcome));
    }

    @Test
    void a_leader_that_reads_another_holder_stops_leading() { // L7
        leadInEpoch(4);
        pass(Duration.ofSeconds(1));
        readAnswered(VersionedLease.of(new LeaseVersion("9"), Stage.record(Stage.OTHER, 2, "n")));
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.SUPERSEDED));
    }

    @Test
    void a_term_ended_by_the_clocks_is_released_if_the_session_was_renewed() { // L12.6
        leadInEpoch(4);
        passUnrenewed(Stage.TIMING.deadline());
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
        pass(Duration.ofMillis(100));
        if (state.inFlight() != null) {
            readAnswered(VersionedLease.of(
                    new LeaseVersion("1"), state.observed().record().orElseThrow()));
        }
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(write().next().isHeld()).isFalse();
    }

    @Test
    void a_session_past_its_deadline_acquires_nothing() { // L12
        own = Optional.of(session(4, now()));
        passUnrenewed(Stage.TIMING.deadline());
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(wrote()).isFalse();
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.NO_SESSION);
        assertThat(explanation().sentence()).contains("no session", "answered 0 ms ago");
    }

    @Test
    void the_explanation_distinguishes_live_and_silent_sessions() {
        observe(alive(3));
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.HELD);
        assertThat(explanation().sentence()).contains("\"other\" holds term 8", "its session is alive");
        pass(Stage.TIMING.ttl());
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.FENCING);
        assertThat(explanation().sentence()).contains("is silent");
    }

    @Test
    void the_explanation_contains_the_time_until_an_unstopped_release() {
        leadInEpoch(4);
        take(new LeaseInput.Resign(now(), 0, Duration.ZERO, ""));
        pass(Duration.ofSeconds(1));
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.STOPPING);
        assertThat(explanation().sentence()).contains("in 9000 ms even if the work continues");
    }

    private Explanation explanation() {
        Map<String, ObservedSession> seen =
                theirs.map(observed -> Map.of(THEIRS, observed)).orElse(Map.of());
        return machine.explain(state, new Sessions(own, seen), Optional.empty(), now());
    }

    @Test
    void a_step_down_is_requested_only_from_a_leader_with_a_live_session() { // M5
        machine =
                new LeaseMachine("orders", Stage.TIMING, RenewalMode.RENEWS_SESSION, Priority.returning(100), true, 7);
        state = machine.begin(now());
        observe(alive(3), LeaseNotes.NONE.heldWith(50, 0));
        pass(Stage.TIMING.ttl());
        long recently = nanos + Duration.ofSeconds(6).toNanos();
        theirs = Optional.of(new ObservedSession(3, true, recently));
        wake();
        assertThat(wrote()).as("a session without two renewals gets no request").isFalse();
        theirs = Optional.of(new ObservedSession(3, true, recently + 1));
        wake();
        assertThat(write().next().notes().stepDown().orElseThrow().to()).isEqualTo("me");
        answered(new CasOutcome.Unknown("timed out"));
        pass(Stage.TIMING.ttl().minusMillis(1));
        theirs = Optional.of(alive(3));
        wake();
        readAnswered(VersionedLease.of(
                state.observed().knownVersion(), state.observed().record().orElseThrow()));
        assertThat(wrote()).as("only one request is sent within a ttl").isFalse();
    }

    @Test
    void the_past_term_after_a_fence_ends_now() {
        observe(alive(3));
        pass(Duration.ofSeconds(30));
        theirs = Optional.of(new ObservedSession(4, false, nanos));
        wake();
        assertThat(write().next().notes().past().get(0).until()).isEqualTo(Instant.ofEpochMilli(wallMillis));
    }

    @Test
    void an_election_whose_session_expires_again_and_again_campaigns_without_a_delay() { // M7
        leadInEpoch(4);
        for (int term = 1; term <= 5; term++) {
            LeaseRecord mine = state.observed().record().orElseThrow();
            passUnrenewed(Stage.TIMING.deadline());
            wake();
            assertThat(events()).contains(new ElectionEvent.Lost(term, LossCause.EXPIRED));
            own = Optional.of(session(4 + term, now()));
            take(new LeaseInput.WorkStopped(now(), term));
            if (!wrote()) {
                readAnswered(VersionedLease.of(new LeaseVersion(Integer.toString(term)), mine));
            }
            assertThat(wrote())
                    .as("the candidate campaigns at once after term " + term)
                    .isTrue();
            written(Integer.toString(1 + term));
            assertThat(events()).contains(new ElectionEvent.Elected(term + 1, SavedState.EMPTY));
        }
    }

    private void leadInEpoch(long epoch) {
        own = Optional.of(session(epoch, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(write().next().epoch()).contains(new LeaseRecord.Epoch(OWN, epoch));
        written("1");
        assertThat(events()).contains(new ElectionEvent.Elected(1, SavedState.EMPTY));
    }

    /**
     * Makes the machine campaign under the session of its own process. The machine reads a lease that is held in term
     * 8, under epoch 3 of another session.
     */
    private void observe(@org.jspecify.annotations.Nullable ObservedSession session) {
        observe(session, LeaseNotes.NONE);
    }

    private void observe(@org.jspecify.annotations.Nullable ObservedSession session, LeaseNotes notes) {
        own = Optional.of(session(4, now()));
        theirs = Optional.ofNullable(session);
        campaign();
        readAnswered(Stage.heldUnder(new LeaseRecord.Epoch(THEIRS, 3), notes));
    }

    private ObservedSession alive(long epoch) {
        return new ObservedSession(epoch, true, nanos + Stage.TIMING.ttl().toNanos());
    }

    private OwnSession session(long epoch, Moment sentAt) {
        return session(OWN, epoch, sentAt);
    }

    private OwnSession session(String record, long epoch, Moment sentAt) {
        return OwnSession.of(
                record, new LeaderLease(PROCESS, epoch, sentAt, Stage.TIMING.deadline(), SavedState.EMPTY));
    }

    private Moment now() {
        return new Moment(nanos, wallMillis);
    }

    /** Lets {@code time} pass, and then renews the session of this process, if one exists. */
    private void pass(Duration time) {
        passUnrenewed(time);
        own = own.map(session -> session(session.epoch().term(), now()));
    }

    private void passUnrenewed(Duration time) {
        nanos += time.toNanos();
        wallMillis += time.toMillis();
    }

    private void campaign() {
        take(new LeaseInput.Campaign(now(), ME));
    }

    private void wake() {
        take(new LeaseInput.Woken(now()));
    }

    private void readAnswered(VersionedLease found) {
        LeaseState.Request request = state.inFlight();
        if (request == null) {
            take(new LeaseInput.ChangeAnnounced(now()));
            request = state.inFlight();
        }
        take(new LeaseInput.ReadAnswered(now(), request.number(), found));
    }

    private void written(String version) {
        take(new LeaseInput.Answered(
                now(), state.inFlight().number(), new CasOutcome.Written(new LeaseVersion(version))));
    }

    private void take(LeaseInput input) {
        Map<String, ObservedSession> seen =
                theirs.map(observed -> Map.of(THEIRS, observed)).orElse(Map.of());
        LeaseStep step = machine.step(state, input, new Sessions(own, seen));
        state = step.next();
        effects = step.effects();
        wakeAtNanos = step.wakeAtNanos();
    }

    private boolean wrote() {
        return effects.stream().anyMatch(LeaseEffect.Write.class::isInstance);
    }

    private boolean fenced() {
        return effects.stream().anyMatch(LeaseEffect.Fence.class::isInstance);
    }

    private LeaseEffect.Write write() {
        return effects.stream()
                .filter(LeaseEffect.Write.class::isInstance)
                .map(LeaseEffect.Write.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing was written; effects were " + effects));
    }

    private List<ElectionEvent> events() {
        return effects.stream()
                .filter(LeaseEffect.Report.class::isInstance)
                .map(effect -> ((LeaseEffect.Report) effect).event())
                .toList();
    }
}
