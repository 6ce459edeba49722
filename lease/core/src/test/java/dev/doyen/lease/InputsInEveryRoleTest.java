package dev.doyen.lease;

import static dev.doyen.lease.Stage.ME;
import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.heldBy;
import static dev.doyen.lease.Stage.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.ElectionEvent.Jeopardy;
import dev.doyen.event.ElectionEvent.LeaderChanged;
import dev.doyen.event.ElectionEvent.Lost;
import dev.doyen.event.ElectionEvent.Overlapped;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests how a machine in each role processes inputs and the store's answers. */
class InputsInEveryRoleTest {

    private static final LeaseEffect SETTLED = new LeaseEffect.Settled();

    @Test
    void a_leader_that_withdraws_releases_the_lease_and_then_observes() {
        Stage stage = withdraw(Stage.leading());
        assertThat(stage.events()).contains(new Lost(1, LossCause.RESIGNED));
        stage.workStopped(1).written("2");
        assertThat(stage.effects).contains(SETTLED);
        assertThat(stage.state.role()).isInstanceOf(Role.Observing.class);
    }

    @Test
    void a_follower_that_withdraws_observes_at_once() {
        Stage stage = withdraw(new Stage().campaign().found(heldBy(OTHER, 3, "a")));
        assertThat(stage.effects).contains(SETTLED);
        assertThat(stage.state.role()).isInstanceOf(Role.Observing.class);
    }

    @Test
    void a_candidate_that_campaigns_again_while_its_work_stops_campaigns_after_the_release() {
        Stage stage = withdraw(Stage.leading()).campaign().workStopped(1);
        assertThat(stage.write().next().isHeld()).isFalse();
        stage.written("2");
        assertThat(stage.state.role()).isInstanceOf(Role.Campaigning.class);
    }

    @Test
    void a_candidate_that_left_neither_campaigns_nor_observes_again() {
        Stage stopping = Stage.leading().leave();
        withdraw(stopping.campaign()).workStopped(1);
        assertThat(stopping.written("2").effects).contains(new LeaseEffect.Ended());

        Stage releasing = Stage.leading().leave().workStopped(1);
        withdraw(releasing.campaign());
        assertThat(releasing.written("2").effects).contains(new LeaseEffect.Ended());
    }

    @Test
    void a_candidate_reads_first_if_another_leader_was_observed() {
        Stage stage = new Stage().wake().found(heldBy(OTHER, 3, "a"));
        assertThat(stage.pass(10).campaign().readAnswered()).isTrue();
    }

    @Test
    void a_resignation_of_a_follower_is_done_at_once() {
        Stage stage = new Stage().campaign().found(heldBy(OTHER, 3, "a"));
        assertThat(stage.resign(Duration.ZERO).effects).contains(SETTLED);
    }

    @Test
    void a_resignation_during_a_release_is_done_after_the_release() {
        Stage stage = Stage.leading().resign(Duration.ZERO);
        assertThat(stage.resign(Duration.ZERO).effects).doesNotContain(SETTLED);
        assertThat(judge(stage, Eligibility.PAUSED).effects).doesNotContain(SETTLED);
        stage.workStopped(1);
        assertThat(stage.resign(Duration.ZERO).effects).doesNotContain(SETTLED);
        assertThat(judge(stage, Eligibility.FIT).effects).doesNotContain(SETTLED);
        assertThat(stage.written("2").effects).contains(SETTLED);
    }

    @Test
    void an_eligibility_change_of_a_follower_is_done_at_once() {
        assertThat(judge(new Stage().campaign(), Eligibility.UNFIT).effects).contains(SETTLED);
        assertThat(judge(Stage.leading(), Eligibility.FIT).effects).contains(SETTLED);
    }

    @Test
    void a_repeated_eligibility_ends_no_term() {
        Stage stage = Stage.leading();
        assertThat(judge(stage, Eligibility.FIT).leads()).isTrue();
        assertThat(judge(stage, Eligibility.UNFIT).events()).contains(new Lost(1, LossCause.UNHEALTHY));
    }

    @Test
    void a_read_and_a_conflict_report_the_blocking_holder() {
        var blocked = new LeaseEffect.Blocked(new Leader("other", 3));
        assertThat(new Stage().campaign().found(heldBy(OTHER, 3, "a")).effects).contains(blocked);
        Stage stage = new Stage().campaign().found(released(2, "a"));
        assertThat(stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 3, "b"))).effects)
                .contains(blocked);
    }

    @Test
    void each_write_has_its_kind() {
        Stage stage = new Stage().campaign().found(released(2, "a"));
        assertThat(stage.write().kind()).isEqualTo(RequestKind.ACQUIRE);
        stage.written("1").pass(10_000 / 5).wake();
        assertThat(stage.write().kind()).isEqualTo(RequestKind.RENEW);
        stage.written("2").take(new LeaseInput.Save(stage.now(), 1, SavedState.ofText("state")));
        assertThat(stage.write().kind()).as("a save is a renewal").isEqualTo(RequestKind.RENEW);
        stage.written("3").leave().workStopped(3);
        assertThat(stage.write().kind()).isEqualTo(RequestKind.RELEASE);
    }

    @Test
    void a_leader_renews_at_once_after_a_foreign_change_is_announced() {
        Stage stage = Stage.leading().pass(499);
        assertThat(notice(stage).wrote()).isFalse();
        assertThat(notice(stage.pass(1)).wrote()).isTrue();
    }

    @Test
    void an_announcement_does_not_delay_a_release_by_a_read() {
        Stage stage = notice(Stage.leading().resign(Duration.ZERO).pass(1_000));
        assertThat(stage.hasPending()).isFalse();
        assertThat(stage.workStopped(1).wrote()).isTrue();
    }

    @Test
    void a_renewal_without_an_answer_is_reported_with_its_timeout() {
        Stage stage = Stage.leading().pass(2_000).wake().pass(2_000).wake();
        assertThat(stage.events()).containsExactly(new Jeopardy(1, Duration.ofSeconds(4), "no answer within 2000 ms"));
    }

    @Test
    void a_renewal_confirms_only_requested_saves() {
        Stage stage = Stage.leading().pass(2_000).wake().written("2");
        assertThat(stage.effects).noneMatch(LeaseEffect.Saved.class::isInstance);
    }

    @Test
    void a_release_is_repeated_over_a_later_version_of_the_same_term() { // L6
        Stage stage = Stage.leading().leave().workStopped(1);
        stage.answered(new CasOutcome.Conflict(heldBy(ME, 1, "7")));
        assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("7"));
        assertThat(stage.write().next().isHeld()).isFalse();
    }

    @Test
    void a_release_that_finds_another_holder_is_done() { // L6
        Stage stage = Stage.leading().leave().workStopped(1);
        stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "7")));
        assertThat(stage.state.hasEnded()).isTrue();
    }

    @Test
    void a_conflicting_renewal_after_the_term_shows_the_version_to_release() { // L6, L7
        Stage stage = Stage.leading().pass(2_000).wake().resign(Duration.ZERO);
        stage.answered(new CasOutcome.Conflict(heldBy(ME, 1, "9"))).workStopped(1);
        assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("9"));

        stage = Stage.leading().pass(2_000).wake().resign(Duration.ZERO);
        stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "9"))).workStopped(1);
        assertThat(stage.wrote()).isFalse();
        assertThat(stage.effects).contains(SETTLED);
    }

    @Test
    void the_own_record_in_another_term_ends_the_leadership() { // L7
        Stage stage = Stage.leading().pass(2_000).wake();
        stage.answered(new CasOutcome.Conflict(heldBy(ME, 2, "9")));
        assertThat(stage.events()).contains(new Lost(1, LossCause.SUPERSEDED));
    }

    @Test
    void a_transfer_to_the_leader_itself_changes_nothing() { // M4
        Stage stage = Stage.leading().pass(2_000).wake();
        LeaseNotes notes = LeaseNotes.NONE.withStepDownRequest(new LeaseNotes.StepDownRequest("me", "ops", ""));
        LeaseRecord noted = Stage.record(ME, 1, "n").noting(notes, "noted");
        stage.answered(new CasOutcome.Conflict(VersionedLease.of(new LeaseVersion("9"), noted)));
        assertThat(stage.leads()).isTrue();
        assertThat(stage.events()).isEmpty();
    }

    @Test
    void a_record_of_another_holder_without_a_later_term_is_not_an_overlap() {
        Stage stage = Stage.leading().pass(2_000).wake();
        stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 1, "9")));
        assertThat(stage.events()).contains(new Lost(1, LossCause.SUPERSEDED));
        for (int i = 0; i < 20; i++) {
            assertThat(stage.pass(100).wake().events()).noneMatch(Overlapped.class::isInstance);
        }
    }

    @Test
    void a_candidate_that_closes_during_a_release_ends_after_it() {
        Stage stage = Stage.leading().resign(Duration.ZERO).leave().workStopped(1);
        assertThat(stage.state.hasEnded()).isFalse();
        assertThat(stage.written("2").state.hasEnded()).isTrue();

        stage = Stage.leading().resign(Duration.ZERO).workStopped(1).leave();
        assertThat(stage.state.hasEnded()).isFalse();
        assertThat(stage.written("2").state.hasEnded()).isTrue();
        assertThat(stage.leave().campaign().effects)
                .as("a closed candidate has no effects")
                .isEmpty();
    }

    @Test
    void listeners_are_notified_of_no_leader_while_the_work_stops() {
        Stage stage = Stage.leading().resign(Duration.ZERO);
        assertThat(stage.events())
                .containsExactly(new Lost(1, LossCause.RESIGNED), new LeaderChanged(Optional.empty()));
    }

    @Test
    void every_answer_of_the_store_confirms_the_observed_record() {
        Stage stage = new Stage().campaign();
        assertThat(stage.state.lastConfirmed()).isEmpty();
        stage.pass(10).found(heldBy(OTHER, 3, "a"));
        assertThat(stage.state.lastConfirmed()).contains(stage.now());
    }

    @Test
    void each_effect_reaches_the_method_of_its_name() {
        List<String> called = new ArrayList<>();
        var cases = (LeaseEffect.Cases) Proxy.newProxyInstance(
                LeaseEffect.class.getClassLoader(),
                new Class<?>[] {LeaseEffect.Cases.class},
                (proxy, method, effect) -> {
                    called.add(method.getName() + " " + effect[0]);
                    return null;
                });
        List<LeaseEffect> effects = List.of(
                new LeaseEffect.Read(1),
                new LeaseEffect.Blocked(new Leader("other", 3)),
                new LeaseEffect.Saved(2),
                new LeaseEffect.Settled(),
                new LeaseEffect.Ended());
        effects.forEach(effect -> effect.accept(cases));
        assertThat(called)
                .containsExactly(
                        "read " + effects.get(0),
                        "blocked " + effects.get(1),
                        "saved " + effects.get(2),
                        "settled " + effects.get(3),
                        "ended " + effects.get(4));
    }

    @Test
    void a_request_to_resign_from_one_term_ends_no_other() {
        Stage stage = Stage.leading();
        stage.take(new LeaseInput.Resign(stage.now(), 7, Duration.ZERO, ""));
        assertThat(stage.leads()).isTrue();
        assertThat(stage.effects).contains(SETTLED);
        stage.take(new LeaseInput.Resign(stage.now(), 1, Duration.ZERO, ""));
        assertThat(stage.events()).contains(new Lost(1, LossCause.RESIGNED));
    }

    @Test
    void work_that_overlapped_another_term_may_stop_later() {
        Stage stage = Stage.leading().pass(2_000).wake();
        stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "x")));
        assertThat(stage.wakeAtNanos - stage.now().nanos()).isEqualTo(stage.machine.retryPauseNanos());
        stage.sleepAndWake();
        assertThat(stage.events()).containsExactly(new Overlapped(1, new Leader("other", 2)));
        assertThat(stage.workStopped(1).state.role()).isInstanceOf(Role.Campaigning.class);
    }

    private static Stage withdraw(Stage stage) {
        return stage.take(new LeaseInput.Withdraw(stage.now()));
    }

    private static Stage judge(Stage stage, Eligibility eligibility) {
        return stage.take(new LeaseInput.EligibilityChanged(stage.now(), eligibility));
    }

    private static Stage notice(Stage stage) {
        return stage.take(new LeaseInput.ChangeAnnounced(stage.now()));
    }
}
