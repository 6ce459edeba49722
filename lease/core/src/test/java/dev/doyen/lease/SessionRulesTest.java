package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.Epoch;
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
 * Tests rule L12 step by step, with one machine and sessions that the test sets by hand.
 *
 * <p>Longer than most tests, because all cases of one rule are in one file.
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
    void a_lease_is_taken_under_the_session_and_leads_for_as_long_as_that_is_led() {
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
    void without_a_session_nothing_is_taken() {
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(wrote()).isFalse();
    }

    @Test
    void an_acquire_that_is_answered_in_a_later_epoch_gives_nothing() {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.of(session(5, now()));
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
        assertThat(write().next().epoch()).as("and is asked for again").contains(new Epoch(OWN, 5));
        assertThat(write().next().term()).isEqualTo(2);
    }

    @Test
    void an_acquire_that_is_answered_under_another_session_record_with_an_equal_term_gives_nothing() {
        own = Optional.of(session(1, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.of(session(OWN_OTHER, 1, now()));
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
        assertThat(write().next().epoch()).as("and is sent again").contains(new Epoch(OWN_OTHER, 1));
        assertThat(write().next().term()).isEqualTo(2);
    }

    @Test
    void a_leader_whose_process_moved_to_another_session_record_with_an_equal_term_leads_no_more() {
        leadInEpoch(1);
        own = Optional.of(session(OWN_OTHER, 1, now()));
        assertThat(state.leadsWithin(own.orElseThrow(), now())).isFalse();
        assertThat(state.leaderLeaseWithin(own.orElseThrow())).isEmpty();
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
    }

    @Test
    void an_acquire_that_is_answered_when_the_session_is_gone_gives_nothing() {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        own = Optional.empty();
        written("1");
        assertThat(events()).noneMatch(ElectionEvent.Elected.class::isInstance);
    }

    @Test
    void a_leader_whose_session_is_in_another_epoch_leads_no_more() {
        leadInEpoch(4);
        own = Optional.of(session(5, now()));
        wake();
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
        assertThat(state.leaderLeaseWithin(own.orElseThrow())).isEmpty();
    }

    @Test
    void a_lease_under_a_session_that_is_alive_is_not_taken_however_old_its_record_is() {
        standBefore(alive(3));
        pass(Duration.ofHours(1));
        theirs = Optional.of(alive(3));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(fenced()).isFalse();
    }

    @Test
    void a_lease_under_a_session_that_is_not_known_yet_is_not_taken() {
        standBefore(null);
        pass(Duration.ofHours(1));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(fenced()).isFalse();
    }

    @Test
    void a_silent_session_is_fenced_and_only_then_is_its_lease_taken() {
        standBefore(alive(3));
        theirs = Optional.of(new ObservedSession(3, true, nanos));
        wake();
        assertThat(wrote()).isFalse();
        assertThat(effects).contains(new LeaseEffect.Fence(new Epoch(THEIRS, 3)));
        theirs = Optional.of(new ObservedSession(4, false, nanos));
        wake();
        assertThat(write().next().term()).isEqualTo(9);
        assertThat(write().next().epoch()).contains(new Epoch(OWN, 4));
    }

    @Test
    void a_session_that_was_given_back_needs_no_fence() {
        standBefore(alive(3));
        theirs = Optional.of(new ObservedSession(3, false, nanos));
        wake();
        assertThat(fenced()).isFalse();
        assertThat(wrote()).isTrue();
    }

    @Test
    void a_session_that_somebody_leads_again_in_a_higher_epoch_needs_no_fence() {
        standBefore(alive(3));
        theirs = Optional.of(alive(5));
        wake();
        assertThat(fenced()).isFalse();
        assertThat(wrote()).isTrue();
    }

    @Test
    void a_record_that_vanished_under_a_live_session_is_not_free() {
        standBefore(alive(3));
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
    void only_a_session_seen_silent_for_W_is_fenced_over_what_was_seen_in_a_higher_epoch() {
        var follower = new LeaseMachine(THEIRS, Stage.TIMING, true, 7);
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
        // A read is in flight. Its answer comes first, because a machine sends no second request.
        LeaseState readAnswered = answeredSame(follower, early.next(), held);
        pass(Duration.ofMillis(1));
        LeaseStep late = follower.step(readAnswered, new LeaseInput.Fence(now(), 3));
        LeaseEffect.Write fence = late.effects().stream()
                .filter(LeaseEffect.Write.class::isInstance)
                .map(LeaseEffect.Write.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(fence.expected()).isEqualTo(new LeaseVersion("17"));
        assertThat(fence.next().term()).isEqualTo(4);
        assertThat(fence.next().isHeld()).isFalse();
    }

    @Test
    void doubt_about_the_session_is_told_as_jeopardy_and_taken_back() {
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
        assertThat(wrote()).as("the pause after a failure").isFalse();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(write().expected()).isEqualTo(new LeaseVersion("1"));

        LeaseRecord mine = state.observed().record().orElseThrow();
        answered(new CasOutcome.Conflict(VersionedLease.of(new LeaseVersion("5"), mine.noting(mine.notes(), "n5"))));
        assertThat(write().expected()).isEqualTo(new LeaseVersion("5"));
        written("6");
        pass(Stage.TIMING.ttl().multipliedBy(2));
        wake();
        assertThat(wrote()).as("it is released once").isFalse();
        take(new LeaseInput.WorkStopped(now(), 1));
        assertThat(effects).contains(new LeaseEffect.Settled());
    }

    @Test
    void a_leader_whose_record_was_released_before_its_work_stopped_writes_nothing_more() { // L12.6
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
    void an_acquire_of_unknown_outcome_is_overwritten_if_it_still_may_be_carried_out_after_a_ttl() { // L12.6
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
    void a_record_over_which_an_acquire_may_still_be_carried_out_keeps_its_content() { // L12.6
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

    /** The outcome of an acquire is unknown, and the candidate leaves. */
    private void leaveAfterUnknownAcquire(VersionedLease found) {
        own = Optional.of(session(4, now()));
        campaign();
        readAnswered(found);
        assertThat(write().next().isHeld()).isTrue();
        answered(new CasOutcome.Unknown("timed out"));
        take(new LeaseInput.Leave(now()));
    }

    /** The time for a release passes, while the session is renewed. */
    private void giveUpRelease() {
        assertThat(state.hasEnded()).isFalse();
        pass(Stage.TIMING.ttl());
        wake();
    }

    @Test
    void a_leader_under_a_session_looks_at_what_is_announced_but_not_at_its_own_write() {
        leadInEpoch(4);
        pass(Duration.ofMillis(499));
        take(new LeaseInput.ChangeAnnounced(now()));
        assertThat(state.inFlight()).isNull();
        pass(Duration.ofMillis(499));
        wake();
        assertThat(state.inFlight())
                .as("its own write was announced: the look waits for the pause")
                .isNull();
        pass(Duration.ofMillis(1));
        wake();
        assertThat(state.inFlight()).isNotNull();
        readAnswered(VersionedLease.of(
                new LeaseVersion("1"), state.observed().record().orElseThrow()));
        pass(Duration.ofMillis(500));
        take(new LeaseInput.ChangeAnnounced(now()));
        assertThat(state.inFlight()).as("long after its own write").isNotNull();
    }

    @Test
    void a_save_that_is_stored_ends_no_doubt_about_the_session() {
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
        assertThat(events()).as("nothing was in doubt").isEmpty();
    }

    @Test
    void a_save_without_an_answer_is_repeated_and_puts_no_leader_in_doubt() {
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
    void a_fence_that_failed_is_not_repeated_sooner_because_it_is_asked_for_again() {
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
        assertThat(wrote()).as("the pause after a failure").isFalse();
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
    void a_leader_that_sees_another_holder_leads_no_more() { // L7
        leadInEpoch(4);
        pass(Duration.ofSeconds(1));
        readAnswered(VersionedLease.of(new LeaseVersion("9"), Stage.record(Stage.OTHER, 2, "n")));
        assertThat(events()).contains(new ElectionEvent.Lost(1, LossCause.SUPERSEDED));
    }

    @Test
    void a_term_that_the_clocks_ended_is_released_if_the_session_was_renewed_all_the_same() { // L12.6
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
    void a_session_past_its_deadline_takes_nothing() { // L12
        own = Optional.of(session(4, now()));
        passUnrenewed(Stage.TIMING.deadline());
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(wrote()).isFalse();
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.NO_SESSION);
        assertThat(explanation().sentence()).contains("no session", "answered 0 ms ago");
    }

    @Test
    void the_explanation_names_a_session_that_is_alive_and_one_that_is_silent() {
        standBefore(alive(3));
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.HELD);
        assertThat(explanation().sentence()).contains("\"other\" holds term 8", "its session is alive");
        pass(Stage.TIMING.ttl());
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.FENCING);
        assertThat(explanation().sentence()).contains("is silent");
    }

    @Test
    void the_explanation_names_the_time_until_a_record_is_released_although_the_work_goes_on() {
        leadInEpoch(4);
        take(new LeaseInput.Resign(now(), 0, Duration.ZERO, ""));
        pass(Duration.ofSeconds(1));
        assertThat(explanation().reason()).isEqualTo(Explanation.Reason.STOPPING);
        assertThat(explanation().sentence()).contains("in 9000 ms all the same");
    }

    private Explanation explanation() {
        Map<String, ObservedSession> seen =
                theirs.map(observed -> Map.of(THEIRS, observed)).orElse(Map.of());
        return machine.explain(state, new Sessions(own, seen), now());
    }

    @Test
    void a_leader_under_a_session_is_asked_to_hand_over_only_while_its_session_shows_life() { // M5
        machine =
                new LeaseMachine("orders", Stage.TIMING, RenewalMode.RENEWS_SESSION, Priority.returning(100), true, 7);
        state = machine.begin(now());
        standBefore(alive(3), LeaseNotes.NONE.heldWith(50));
        pass(Stage.TIMING.ttl());
        long recently = nanos + Duration.ofSeconds(6).toNanos();
        theirs = Optional.of(new ObservedSession(3, true, recently));
        wake();
        assertThat(wrote()).as("no renewal for two renewal periods").isFalse();
        theirs = Optional.of(new ObservedSession(3, true, recently + 1));
        wake();
        assertThat(write().next().notes().stepDown().orElseThrow().to()).isEqualTo("me");
        answered(new CasOutcome.Unknown("timed out"));
        pass(Stage.TIMING.ttl().minusMillis(1));
        theirs = Optional.of(alive(3));
        wake();
        readAnswered(VersionedLease.of(
                state.observed().knownVersion(), state.observed().record().orElseThrow()));
        assertThat(wrote()).as("it asks once in a ttl").isFalse();
    }

    @Test
    void a_lease_that_is_taken_after_a_fence_was_held_until_now() {
        standBefore(alive(3));
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
            assertThat(wrote()).as("at once after term " + term).isTrue();
            written(Integer.toString(1 + term));
            assertThat(events()).contains(new ElectionEvent.Elected(term + 1, SavedState.EMPTY));
        }
    }

    private void leadInEpoch(long epoch) {
        own = Optional.of(session(epoch, now()));
        campaign();
        readAnswered(VersionedLease.ABSENT);
        assertThat(write().next().epoch()).contains(new Epoch(OWN, epoch));
        written("1");
        assertThat(events()).contains(new ElectionEvent.Elected(1, SavedState.EMPTY));
    }

    /** Campaigns with this process's own session. Epoch 3 of another session holds the lease in term 8. */
    private void standBefore(@org.jspecify.annotations.Nullable ObservedSession session) {
        standBefore(session, LeaseNotes.NONE);
    }

    private void standBefore(@org.jspecify.annotations.Nullable ObservedSession session, LeaseNotes notes) {
        own = Optional.of(session(4, now()));
        theirs = Optional.ofNullable(session);
        campaign();
        readAnswered(Stage.heldUnder(new Epoch(THEIRS, 3), notes));
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

    /** Lets time pass while this process's session is renewed. */
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
