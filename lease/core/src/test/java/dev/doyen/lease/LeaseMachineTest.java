package dev.doyen.lease;

import static dev.doyen.lease.Stage.ME;
import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.heldBy;
import static dev.doyen.lease.Stage.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.ElectionEvent.Elected;
import dev.doyen.event.ElectionEvent.Jeopardy;
import dev.doyen.event.ElectionEvent.LeaderChanged;
import dev.doyen.event.ElectionEvent.Lost;
import dev.doyen.event.ElectionEvent.Overlapped;
import dev.doyen.event.ElectionEvent.Recovered;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests the rules of docs/spec/lease.md step by step.
 *
 * <p>This class is longer than most tests, because one file contains the tests of most rules, grouped by rule.
 */
class LeaseMachineTest {

    private static final CasOutcome UNKNOWN = new CasOutcome.Unknown("timed out");

    @Nested
    @DisplayName("L1, L4: how long a leader leads")
    class Deadline {
        @Test
        void the_deadline_starts_at_the_send_and_not_at_the_answer() {
            var stage = new Stage().campaign().found(VersionedLease.ABSENT);
            stage.pass(1_900).written("1");
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofMillis(6_100));
        }

        @Test
        void an_answer_after_the_deadline_does_not_start_a_leadership() {
            // The deadline is 8 s, but the request would time out after 2 s on the monotonic clock. So the test moves
            // only the wall clock past the deadline.
            var stage = new Stage().campaign().found(VersionedLease.ABSENT);
            stage.jumpWall(8_000).written("1");
            assertThat(stage.leads()).isFalse();
            assertThat(stage.events()).isEmpty();
            assertThat(stage.write().next().term())
                    .as("the candidate acquires its own record in a new term")
                    .isEqualTo(2);
        }

        @Test
        void the_leadership_ends_at_the_deadline_without_another_input() {
            var stage = Stage.leading();
            stage.pass(7_999);
            assertThat(stage.leads()).isTrue();
            stage.pass(1);
            assertThat(stage.leads()).isFalse();
            stage.wake();
            assertThat(stage.events()).contains(new Lost(1, LossCause.EXPIRED));
        }

        @Test
        void the_machine_sets_a_timer_for_the_deadline_even_while_a_request_hangs() {
            var stage = Stage.leading();
            for (int i = 0; i < 100 && stage.state.leaderLease().isPresent(); i++) {
                stage.sleepAndWake();
            }
            assertThat(stage.now().nanosSince(Stage.leading().now()))
                    .isEqualTo(Duration.ofSeconds(8).toNanos());
        }

        @Test
        void the_wall_clock_reveals_a_suspension() {
            var stage = Stage.leading();
            stage.pass(1_000).jumpWall(60_000);
            assertThat(stage.leads()).isFalse();
            stage.wake();
            assertThat(stage.events()).contains(new Lost(1, LossCause.SUSPENDED));
        }

        @Test
        void a_leader_detects_a_suspension_within_a_twentieth_of_W() {
            var stage = Stage.leading();
            for (int i = 0; i < 100; i++) {
                assertThat(stage.wakeAtNanos - stage.now().nanos())
                        .isLessThanOrEqualTo(Duration.ofMillis(500).toNanos());
                if (stage.hasPending()) {
                    stage.written("r" + i);
                }
                stage.sleepAndWake();
            }
            assertThat(stage.leads()).isTrue();
            stage.jumpWall(60_000).sleepAndWake();
            assertThat(stage.events()).contains(new Lost(1, LossCause.SUSPENDED));
        }

        @Test
        void a_wall_clock_set_back_changes_nothing() {
            var stage = Stage.leading();
            stage.pass(1_000).jumpWall(-3_600_000).wake();
            assertThat(stage.leads()).isTrue();
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofSeconds(7));
        }

        @Test
        void a_wall_clock_that_ran_ahead_shortens_the_remaining_time() {
            var stage = Stage.leading();
            stage.pass(1_000).jumpWall(3_000);
            assertThat(stage.leads()).isTrue();
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofSeconds(4));
        }

        @Test
        void a_renewal_confirmed_after_the_deadline_is_too_late() {
            var stage = Stage.leading();
            stage.pass(2_000).wake();
            long renewal = stage.pending();
            stage.jumpWall(8_000);
            stage.answered(renewal, new CasOutcome.Written(new LeaseVersion("2")));
            assertThat(stage.events()).contains(new Lost(1, LossCause.SUSPENDED));
            assertThat(stage.leads()).isFalse();
        }
    }

    @Nested
    @DisplayName("L2, L3: when a follower takes over")
    class Takeover {
        @Test
        void an_absent_lease_is_acquired_at_once_with_term_1() {
            var stage = new Stage().campaign().found(VersionedLease.ABSENT);
            assertThat(stage.write().expected()).isEqualTo(LeaseVersion.ABSENT);
            assertThat(stage.write().next().term()).isEqualTo(1);
            stage.written("1");
            assertThat(stage.events())
                    .containsExactly(
                            new Elected(1, SavedState.EMPTY), new LeaderChanged(Optional.of(new Leader("me", 1))));
        }

        @Test
        void a_released_lease_is_acquired_at_once_over_the_read_version_with_its_saved_state() {
            var stage = new Stage().campaign().found(released(7, "v9"));
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("v9"));
            assertThat(stage.write().next().term()).isEqualTo(8);
            stage.written("v10");
            assertThat(stage.events()).contains(new Elected(8, SavedState.ofText("left behind")));
        }

        @Test
        void a_held_lease_is_not_acquired_for_W_after_the_first_answer_that_contained_it() {
            var stage = new Stage().campaign();
            stage.pass(1_500).found(heldBy(OTHER, 3, "a"));
            long received = stage.now().nanos();
            VersionedLease same = heldBy(OTHER, 3, "a");
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(same);
                }
            }
            assertThat(stage.now().nanos() - received)
                    .isEqualTo(Duration.ofSeconds(10).toNanos());
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("a"));
            assertThat(stage.write().next().term()).isEqualTo(4);
        }

        @Test
        void every_change_of_version_restarts_the_wait() {
            var stage = new Stage().campaign().found(heldBy(OTHER, 3, "a"));
            stage.pass(9_900).wake().found(heldBy(OTHER, 3, "b"));
            stage.pass(9_900).wake();
            assertThat(stage.wrote()).isFalse();
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void a_note_of_another_writer_does_not_extend_the_lease() {
            VersionedLease silent = heldBy(OTHER, 3, "a");
            var stage = new Stage().campaign().found(silent);
            long received = stage.now().nanos();
            LeaseRecord noted = silent.record().orElseThrow();
            int notes = 0;
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    notes++;
                    noted = noted.noting(
                            noted.notes().withStepDownRequest(new LeaseNotes.StepDownRequest("", "operator", "")),
                            "note." + notes);
                    stage.found(VersionedLease.of(new LeaseVersion("n" + notes), noted));
                }
            }
            assertThat(notes).isGreaterThan(5);
            assertThat(stage.now().nanos() - received)
                    .isEqualTo(Duration.ofSeconds(10).toNanos());
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("n" + notes));
            assertThat(stage.write().next().term()).isEqualTo(4);
        }

        @Test
        void a_write_of_the_holder_after_a_note_restarts_the_wait() {
            VersionedLease first = heldBy(OTHER, 3, "a");
            LeaseRecord read = first.record().orElseThrow();
            LeaseRecord noted = read.noting(
                    read.notes().withStepDownRequest(new LeaseNotes.StepDownRequest("", "operator", "")), "note.1");
            var stage = new Stage().campaign().found(first);
            stage.pass(5_000).wake().found(VersionedLease.of(new LeaseVersion("b"), noted));
            stage.pass(4_500).wake().found(heldBy(OTHER, 3, "c"));
            long alive = stage.now().nanos();
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(heldBy(OTHER, 3, "c"));
                }
            }
            assertThat(stage.now().nanos() - alive)
                    .isEqualTo(Duration.ofSeconds(10).toNanos());
        }

        @Test
        void a_non_expiring_lease_ends_only_by_its_deletion() {
            var stage = new Stage()
                    .campaign()
                    .found(VersionedLease.of(new LeaseVersion("a"), lasting(LeaseRecord.NON_EXPIRING_TTL)));
            stage.pass(Duration.ofDays(365).toMillis()).wake();
            assertThat(stage.wrote()).isFalse();
            stage.found(VersionedLease.absentAfter(9));
            assertThat(stage.write().expected()).isEqualTo(LeaseVersion.ABSENT);
            assertThat(stage.write().next().term()).isEqualTo(10);
        }

        @Test
        void a_deleted_expiring_lease_is_waited_for() {
            var stage = new Stage()
                    .campaign()
                    .found(VersionedLease.of(
                            new LeaseVersion("a"), lasting(LeaseRecord.NON_EXPIRING_TTL.minusMillis(1))));
            stage.pass(1_000).wake().found(VersionedLease.absentAfter(9));
            assertThat(stage.wrote()).isFalse();
        }

        private LeaseRecord lasting(Duration ttl) {
            LeaseRecord r = Stage.record(OTHER, 3, "n");
            return new LeaseRecord(
                    r.election(),
                    r.holder(),
                    r.incarnation(),
                    r.term(),
                    r.nonce(),
                    ttl,
                    r.acquiredAt(),
                    r.renewedAt(),
                    r.state(),
                    r.stateVersion());
        }

        @Test
        void it_waits_for_the_ttl_of_the_record_and_not_its_own() {
            LeaseRecord r = Stage.record(OTHER, 3, "n");
            var patient = new LeaseRecord(
                    r.election(),
                    r.holder(),
                    r.incarnation(),
                    r.term(),
                    r.nonce(),
                    Duration.ofSeconds(30),
                    r.acquiredAt(),
                    r.renewedAt(),
                    r.state(),
                    r.stateVersion());
            var stage = new Stage().campaign().found(VersionedLease.of(new LeaseVersion("a"), patient));
            stage.pass(29_999).wake();
            assertThat(stage.wrote()).isFalse();
            stage.found(VersionedLease.of(new LeaseVersion("a"), patient));
            stage.pass(1).wake();
            assertThat(stage.wrote()).isTrue();
        }

        @Test
        void the_term_never_decreases_even_after_a_deletion() {
            var stage = new Stage().campaign().found(heldBy(OTHER, 41, "a"));
            stage.pass(1_000).wake().found(VersionedLease.ABSENT);
            assertThat(stage.wrote())
                    .as("the deleted holder may lead until its lease expires")
                    .isFalse();
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(VersionedLease.ABSENT);
                }
            }
            assertThat(stage.write().next().term()).isEqualTo(42);
        }

        @Test
        void a_new_term_is_above_every_possible_term_of_a_deleted_record() {
            var stage = new Stage().campaign().found(VersionedLease.absentAfter(184));
            assertThat(stage.write().next().term()).isEqualTo(185);
        }

        @Test
        void terms_between_two_reads_of_an_absent_record_are_not_reused() {
            var stage = new Stage().campaign().found(heldBy(OTHER, 41, "a"));
            stage.pass(1_000).wake().found(VersionedLease.absentAfter(50));
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(VersionedLease.absentAfter(60));
                }
            }
            assertThat(stage.write().next().term()).isEqualTo(61);
        }

        @Test
        void possible_terms_of_a_deleted_session_end_no_epoch() {
            var stage = new Stage().campaign().found(heldBy(OTHER, 41, "a"));
            stage.pass(1_000).wake().found(VersionedLease.absentAfter(50));
            ObservedSession session =
                    stage.state.asSession(Duration.ofSeconds(10)).orElseThrow();
            assertThat(session.hasEnded(41)).isFalse();
        }

        @Test
        void nothing_is_written_before_the_first_read() {
            var stage = new Stage().campaign();
            assertThat(stage.readAnswered()).isTrue();
            assertThat(stage.wrote()).isFalse();
        }

        @Test
        void a_candidate_that_loses_a_race_follows_the_winner() {
            var stage = new Stage().campaign().found(VersionedLease.ABSENT);
            stage.answered(new CasOutcome.Conflict(heldBy(OTHER, 1, "1")));
            assertThat(stage.events()).containsExactly(new LeaderChanged(Optional.of(new Leader("other", 1))));
            assertThat(stage.effects).contains(new LeaseEffect.Blocked(new Leader("other", 1)));
            assertThat(stage.wrote()).isFalse();
        }

        @Test
        void an_announcement_during_a_read_is_not_lost() {
            var stage = new Stage().campaign();
            stage.pass(5).take(new LeaseInput.ChangeAnnounced(stage.now()));
            stage.pass(5).found(heldBy(OTHER, 1, "a"));
            assertThat(stage.readAnswered()).isTrue();
        }
    }

    @Nested
    @DisplayName("L6: the end of the work and the release")
    class Release {
        @Test
        void resigning_stops_the_work_before_the_release() {
            var stage = Stage.leading().resign(Duration.ZERO);
            assertThat(stage.events()).contains(new Lost(1, LossCause.RESIGNED));
            assertThat(stage.leads()).isFalse();
            assertThat(stage.wrote()).isFalse();
            stage.pass(500).wake();
            assertThat(stage.wrote()).isFalse();
            stage.workStopped(1);
            LeaseRecord release = stage.write().next();
            assertThat(release.isHeld()).isFalse();
            assertThat(release.term()).isEqualTo(1);
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("1"));
        }

        @Test
        void work_that_does_not_stop_prevents_the_release() {
            var stage = Stage.leading().resign(Duration.ZERO);
            for (int i = 0; i < 60; i++) {
                stage.pass(1_000).wake();
                assertThat(stage.wrote()).isFalse();
            }
        }

        @Test
        void a_renewal_confirmed_after_the_end_does_not_revive_the_term_and_is_released() {
            var stage = Stage.leading();
            stage.pass(2_000).wake();
            long renewal = stage.pending();
            stage.take(new LeaseInput.Resign(stage.now(), 0, Duration.ZERO, ""));
            stage.answered(renewal, new CasOutcome.Written(new LeaseVersion("2")));
            assertThat(stage.leads()).isFalse();
            assertThat(stage.events()).isEmpty();
            stage.workStopped(1);
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("2"));
        }

        @Test
        void an_acquisition_in_flight_when_the_candidate_leaves_is_released() {
            var stage = new Stage().campaign().found(VersionedLease.ABSENT);
            stage.take(new LeaseInput.Leave(stage.now()));
            assertThat(stage.state.hasEnded()).isFalse();
            stage.written("1");
            assertThat(stage.events()).isEmpty();
            assertThat(stage.write().next().isHeld()).isFalse();
            stage.written("2");
            assertThat(stage.state.hasEnded()).isTrue();
        }

        @Test
        void a_release_of_unknown_outcome_is_followed_by_a_read() {
            var stage = Stage.leading().leave();
            stage.workStopped(1).answered(UNKNOWN);
            stage.sleepAndWake();
            assertThat(stage.readAnswered()).isTrue();
            stage.found(released(1, "2"));
            assertThat(stage.effects).contains(new LeaseEffect.Settled(), new LeaseEffect.Ended());
        }

        @Test
        void a_release_is_abandoned_after_W() {
            var stage = Stage.leading().leave();
            stage.workStopped(1);
            for (int i = 0; i < 100 && !stage.state.hasEnded(); i++) {
                stage.sleepAndWake();
            }
            assertThat(stage.state.hasEnded()).isTrue();
        }

        @Test
        void a_candidate_that_resigned_does_not_campaign_during_its_cooldown() {
            var stage = Stage.leading().resign(Duration.ofSeconds(5));
            stage.workStopped(1).written("2");
            VersionedLease empty = released(1, "2");
            long released = stage.now().nanos();
            while (!stage.wrote()) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(empty);
                }
            }
            assertThat(stage.now().nanos() - released)
                    .isEqualTo(Duration.ofSeconds(5).toNanos());
            assertThat(stage.write().next().term()).isEqualTo(2);
        }
    }

    @Nested
    @DisplayName("L6: an acquire that may still be carried out")
    class LateAcquire {
        @Test
        void a_leaving_candidate_waits_for_its_pending_acquisition_and_releases_it() {
            var stage = new Stage();
            stage.campaign();
            stage.found(VersionedLease.ABSENT);
            LeaseRecord acquire = stage.write().next();
            stage.answered(UNKNOWN).leave();
            stage.found(VersionedLease.ABSENT);
            assertThat(stage.state.hasEnded())
                    .as("the acquisition can still succeed")
                    .isFalse();
            stage.sleepAndWake();
            stage.found(VersionedLease.of(new LeaseVersion("1"), acquire));
            assertThat(stage.write().next().isHeld()).isFalse();
            stage.written("2");
            assertThat(stage.state.hasEnded()).isTrue();
        }

        @Test
        void a_later_version_ends_the_wait_for_a_pending_acquisition() {
            var stage = new Stage();
            stage.campaign();
            stage.found(VersionedLease.ABSENT);
            stage.answered(UNKNOWN).leave();
            stage.found(Stage.heldBy(Stage.OTHER, 1, "1"));
            assertThat(stage.state.hasEnded()).isTrue();
        }

        @Test
        void a_candidate_that_became_unhealthy_releases_an_unused_lease() { // M6
            var stage = new Stage();
            stage.campaign();
            stage.found(VersionedLease.ABSENT);
            stage.take(new LeaseInput.EligibilityChanged(stage.now(), Eligibility.UNFIT));
            stage.written("1");
            assertThat(stage.events()).noneMatch(ElectionEvent.Elected.class::isInstance);
            assertThat(stage.write().next().isHeld()).isFalse();
        }

        @Test
        void an_ineligible_candidate_that_won_by_a_lost_answer_releases_the_lease() { // M6
            var stage = new Stage();
            stage.campaign();
            stage.found(VersionedLease.ABSENT);
            LeaseRecord won = stage.write().next();
            stage.answered(UNKNOWN);
            stage.take(new LeaseInput.EligibilityChanged(stage.now(), Eligibility.UNFIT));
            stage.sleepAndWake();
            stage.found(VersionedLease.of(new LeaseVersion("1"), won));
            stage.sleepAndWake();
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("1"));
            assertThat(stage.write().next().isHeld()).isFalse();
            assertThat(stage.events()).noneMatch(ElectionEvent.Elected.class::isInstance);
        }
    }

    @Nested
    @DisplayName("L7: conflicts and unknown outcomes")
    class Doubt {
        @Test
        void a_conflict_with_another_holder_ends_the_term_at_once() {
            var stage = Stage.leading();
            stage.pass(2_000).wake().answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "x")));
            assertThat(stage.events())
                    .containsExactly(
                            new Lost(1, LossCause.SUPERSEDED), new LeaderChanged(Optional.of(new Leader("other", 2))));
        }

        @Test
        void work_that_continues_under_another_leader_is_reported_once() {
            var stage = Stage.leading();
            stage.pass(2_000).wake().answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "x")));
            assertThat(stage.events()).hasSize(2).noneMatch(Overlapped.class::isInstance);
            stage.sleepAndWake();
            assertThat(stage.events()).containsExactly(new Overlapped(1, new Leader("other", 2)));
            for (int i = 0; i < 60; i++) {
                assertThat(stage.pass(100).wake().events()).isEmpty();
            }
        }

        @Test
        void work_that_stops_at_the_loss_is_not_an_overlap() {
            var stage = Stage.leading();
            stage.pass(2_000).wake().answered(new CasOutcome.Conflict(heldBy(OTHER, 2, "x")));
            stage.workStopped(1);
            for (int i = 0; i < 60; i++) {
                assertThat(stage.pass(100).wake().events()).isEmpty();
            }
        }

        @Test
        void a_deleted_record_ends_the_term_at_once() {
            var stage = Stage.leading();
            stage.pass(2_000).wake().answered(new CasOutcome.Conflict(VersionedLease.ABSENT));
            assertThat(stage.events()).contains(new Lost(1, LossCause.SUPERSEDED));
        }

        @Test
        void an_unknown_outcome_keeps_the_old_deadline() {
            var stage = Stage.leading();
            stage.pass(2_000).wake().answered(UNKNOWN);
            assertThat(stage.events()).containsExactly(new Jeopardy(1, Duration.ofSeconds(6), "timed out"));
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofSeconds(6));
        }

        @Test
        void the_nonce_confirms_a_write_whose_answer_was_lost_and_it_counts_from_its_own_send() {
            var stage = Stage.leading();
            stage.pass(2_000).wake();
            LeaseRecord lost = stage.write().next();
            stage.answered(UNKNOWN);
            stage.sleepAndWake();
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("1"));
            stage.pass(300);
            stage.answered(new CasOutcome.Conflict(VersionedLease.of(new LeaseVersion("2"), lost)));
            assertThat(stage.events()).containsExactly(new Recovered(1));
            // The first attempt was sent at 2000 ms, the second at 2500 ms, and the answer arrived at 2800 ms. The
            // deadline counts from the first attempt. So 8000 - 800 ms remain.
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofMillis(7_200));
        }

        @Test
        void the_own_term_with_an_unknown_nonce_keeps_the_old_deadline() {
            var stage = Stage.leading();
            stage.pass(2_000).wake();
            stage.answered(new CasOutcome.Conflict(heldBy(ME, 1, "5")));
            assertThat(stage.leads()).isTrue();
            assertThat(stage.state.leaderLease().orElseThrow().remainingAt(stage.now()))
                    .isEqualTo(Duration.ofSeconds(6));
            stage.sleepAndWake();
            assertThat(stage.write().expected()).isEqualTo(new LeaseVersion("5"));
        }

        @Test
        void an_answer_to_an_abandoned_request_changes_nothing() {
            var stage = Stage.leading();
            stage.pass(2_000).wake();
            long given = stage.pending();
            stage.pass(2_000).wake();
            assertThat(stage.events()).hasSize(1).first().isInstanceOf(Jeopardy.class);
            LeaseState before = stage.state;
            stage.answered(given, new CasOutcome.Written(new LeaseVersion("2")));
            assertThat(stage.state).isEqualTo(before);
        }

        @Test
        void an_unknown_state_is_limited_in_time_and_ends_in_a_loss() {
            var stage = Stage.leading();
            int lost = 0;
            for (int i = 0; i < 200 && lost == 0; i++) {
                stage.sleepAndWake();
                if (stage.hasPending() && stage.state.leaderLease().isPresent()) {
                    stage.answered(UNKNOWN);
                }
                if (stage.state.role() instanceof Role.Leading leading) {
                    assertThat(leading.unresolved()).hasSizeLessThanOrEqualTo(LeaseRenewal.MAX_UNRESOLVED);
                }
                lost += (int)
                        stage.events().stream().filter(Lost.class::isInstance).count();
            }
            assertThat(lost).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("L9, L10: events and incarnations")
    class Notifications {
        @Test
        void after_a_loss_it_campaigns_again_when_the_work_has_stopped() {
            var stage = Stage.leading();
            stage.pass(8_000).wake();
            assertThat(stage.events()).contains(new Lost(1, LossCause.EXPIRED));
            stage.pass(20_000).wake();
            assertThat(stage.wrote()).isFalse();
            stage.workStopped(1);
            if (stage.hasPending() && !stage.wrote()) {
                stage.found(heldBy(ME, 1, "1"));
            }
            assertThat(stage.write().next().term()).isEqualTo(2);
            stage.written("2");
            assertThat(stage.events()).contains(new Elected(2, SavedState.EMPTY));
        }

        @Test
        void a_restarted_candidate_of_the_same_name_is_another_holder() {
            var stage = new Stage().campaign().found(heldBy(new Identity("me", "me-0"), 3, "a"));
            assertThat(stage.wrote()).isFalse();
            assertThat(stage.state.leader()).contains(new Leader("me", 3));
        }

        @Test
        void an_observer_reports_the_expiry_of_a_lease_and_never_writes() {
            var stage = new Stage().wake().found(heldBy(OTHER, 3, "a"));
            assertThat(stage.events()).containsExactly(new LeaderChanged(Optional.of(new Leader("other", 3))));
            for (int i = 0; i < 100 && stage.state.leader().isPresent(); i++) {
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(heldBy(OTHER, 3, "a"));
                }
                assertThat(stage.wrote()).isFalse();
            }
            assertThat(stage.events()).containsExactly(new LeaderChanged(Optional.empty()));
        }

        @Test
        void a_renewal_by_the_same_leader_is_not_an_event() {
            var stage = new Stage().wake().found(heldBy(OTHER, 3, "a"));
            stage.pass(2_000).wake().found(heldBy(OTHER, 3, "b"));
            assertThat(stage.events()).isEmpty();
        }

        @Test
        void saved_state_is_part_of_the_next_write_and_confirmed_with_it() {
            var stage = Stage.leading();
            stage.pass(10).take(new LeaseInput.Save(stage.now(), 1, SavedState.ofText("row 5")));
            LeaseRecord written = stage.write().next();
            assertThat(written.state().text()).isEqualTo("row 5");
            assertThat(written.stateVersion()).isEqualTo(1);
            stage.take(new LeaseInput.Save(stage.now(), 2, SavedState.ofText("row 6")));
            assertThat(stage.wrote()).as("one write at a time").isFalse();
            stage.written("2");
            assertThat(stage.effects).contains(new LeaseEffect.Saved(1));
            assertThat(stage.write().next().state().text()).isEqualTo("row 6");
            stage.written("3");
            assertThat(stage.effects).contains(new LeaseEffect.Saved(2));
            assertThat(stage.state.leaderLease().orElseThrow().state().text()).isEqualTo("row 6");
        }
    }
}
