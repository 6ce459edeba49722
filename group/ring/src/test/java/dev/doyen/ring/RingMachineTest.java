package dev.doyen.ring;

import static dev.doyen.ring.RingStage.GREATER;
import static dev.doyen.ring.RingStage.LESSER;
import static dev.doyen.ring.RingStage.ME;
import static dev.doyen.ring.RingStage.TIMING;
import static dev.doyen.ring.RingStage.beginning;
import static dev.doyen.ring.RingStage.passed;
import static dev.doyen.ring.RingStage.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Jeopardy;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.LeaderChanged;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.StepDown;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingMessage.Chosen;
import dev.doyen.ring.RingMessage.Compare;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Heartbeat;
import dev.doyen.ring.RingMessage.Nack;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the rules R1 to R12 of docs/spec/ring.md step by step.
 *
 * <p>This class is longer than most test classes, because it contains the tests of all these rules.
 */
class RingMachineTest {

    private static final Term FIRST = new Term(1, ME);
    private static final Term OTHERS = new Term(5, GREATER);

    @Nested
    @DisplayName("R1: the order of the members on the ring")
    class OrderRules {
        @Test
        void the_ring_is_in_the_order_of_the_first_eight_bytes_of_sha256() {
            // The command printf 'a\0001' | sha256sum prints the hash of GREATER. The variable last is the last member
            // only if the hashes are compared as unsigned numbers.
            var last = new Member("é", "1");
            assertThat(View.position(GREATER)).isEqualTo(0x05a9c569a185ac60L);
            assertThat(View.position(last)).isEqualTo(0x9125191f3c83e602L);
            assertThat(view(1, last, LESSER, ME, GREATER).members()).containsExactly(GREATER, ME, LESSER, last);
        }

        @Test
        void members_are_ordered_by_the_bytes_of_their_ids_not_by_javas_characters() {
            var basic = new Member("\uffee", "1");
            var beyond = new Member("\ud83d\ude00", "1");
            assertThat(basic.compareTo(beyond)).isNegative();
            assertThat(basic.id().compareTo(beyond.id())).isPositive();
        }
    }

    @Nested
    @DisplayName("R2, R3: views")
    class Views {
        @Test
        void a_member_starts_at_its_ring_position() {
            RingStage stage = RingStage.asLeader();
            assertThat(stage.effects).containsExactly(new Send(stage.view.after(ME), stage.elect(ME, 1)));
            assertThat(stage.state.me()).isEqualTo(ME);
        }

        @Test
        void a_first_view_can_have_the_number_0() {
            var stage = new RingStage();
            stage.install(view(0, ME)).withdraw(LossCause.PAUSED).install(view(1, ME, LESSER));
            assertThat(stage.sent(Elect.class).key().joined()).isZero();
        }

        @Test
        void messages_that_precede_their_view_are_stored() {
            var stage = new RingStage();
            Elect early = stage.elect(GREATER, 1);
            stage.receive(early);
            assertThat(stage.effects).isEmpty();
            stage.install(stage.view);
            assertThat(stage.sent()).containsExactly(early);
        }

        @Test
        void stored_messages_are_dropped_after_a_time() {
            var stage = new RingStage();
            stage.receive(stage.elect(GREATER, 1));
            assertThat(stage.wakeInMillis()).isEqualTo(TIMING.keep().toMillis());
            stage.pass(999).wake();
            assertThat(stage.dropped()).isEmpty();
            stage.pass(1).wake();
            assertThat(stage.dropped()).containsExactly(Why.NOT_KEPT);
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void the_number_of_stored_messages_is_limited() {
            var stage = new RingStage();
            for (int i = 0; i < ViewChanges.MAX_HELD; i++) {
                stage.receive(stage.elect(LESSER, i + 1));
                assertThat(stage.dropped()).isEmpty();
            }
            stage.receive(stage.elect(GREATER, 1));
            assertThat(stage.effects)
                    .containsExactly(
                            new RingEffect.Dropped(stage.view.before(ME), stage.elect(LESSER, 1), Why.NOT_KEPT));
        }

        @Test
        void a_message_of_an_older_view_is_answered_with_the_current_view() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, ME, LESSER));
            stage.receive(GREATER, stage.elect(GREATER, 1));
            assertThat(stage.of(Send.class)).containsExactly(new Send(GREATER, new Nack(new ViewId(2, "test"), FIRST)));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }

        @Test
        void a_left_view_is_past_and_an_unknown_view_is_compared_by_number() {
            RingStage stage = RingStage.asLeader();
            stage.install(new View(new ViewId(1, "other"), List.of(ME, LESSER)));
            stage.receive(GREATER, stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.install(view(9, ME, LESSER));
            stage.receive(GREATER, new Heartbeat(new ViewId(8, "other"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }

        @Test
        void a_left_view_is_not_installed_again() {
            RingStage stage = RingStage.asLeader();
            View next = view(2, ME, LESSER);
            stage.install(next).install(next);
            assertThat(stage.effects).isEmpty();
            stage.install(stage.view);
            assertThat(stage.effects).isEmpty();
            assertThat(stage.state.view()).contains(next);
        }

        @Test
        void the_number_of_remembered_views_is_limited() {
            RingStage stage = RingStage.asLeader();
            for (int i = 0; i < 2 * ViewChanges.MAX_PAST; i++) {
                stage.install(view(2 + i, ME, LESSER));
            }
            assertThat(stage.state.past).hasSize(ViewChanges.MAX_PAST);
        }

        @Test
        void a_removed_member_stops_leading_and_reports_no_leader() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, GREATER, LESSER));
            assertThat(stage.effects)
                    .containsExactly(new StepDown(FIRST, LossCause.SUPERSEDED), new LeaderChanged(Optional.empty()));
            assertThat(stage.state.view()).isEmpty();
        }

        @Test
        void a_removed_member_stores_no_messages_of_that_view() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, GREATER, LESSER));
            stage.receive(GREATER, new Heartbeat(new ViewId(2, "test"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.buffered()).isZero();
        }

        @Test
        void a_leader_outside_the_view_is_no_longer_reported() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elected(OTHERS));
            stage.install(view(2, ME, LESSER));
            assertThat(stage.of(LeaderChanged.class)).containsExactly(new LeaderChanged(Optional.empty()));
        }

        @Test
        void a_leader_in_the_next_view_stays_the_leader() {
            RingStage follower = RingStage.asLeader();
            follower.receive(follower.elected(OTHERS)).install(view(2, ME, GREATER));
            assertThat(follower.of(LeaderChanged.class)).isEmpty();
            RingStage leader = RingStage.leading();
            leader.install(view(2, ME, GREATER));
            Elect elect = leader.sent(Elect.class);
            assertThat(elect.key().incumbent()).isEqualTo(FIRST);
            assertThat(elect.key().isGreaterThan(leader.key(GREATER))).isTrue();
            leader.receive(elect);
            assertThat(leader.of(Lead.class)).isEmpty();
            assertThat(leader.sent(Elected.class).term()).isEqualTo(FIRST);
        }
    }

    @Nested
    @DisplayName("R4, R5: the algorithm of Chang and Roberts, and lost messages")
    class Race {
        @Test
        void a_lesser_key_is_dropped_and_a_greater_key_is_forwarded_once() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elect(LESSER, 1));
            assertThat(stage.effects).isEmpty();
            stage.receive(stage.elect(GREATER, 1));
            assertThat(stage.sent()).containsExactly(stage.elect(GREATER, 1));
            stage.receive(stage.elect(GREATER, 1));
            assertThat(stage.effects).hasSize(1);
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            stage.receive(stage.elect(GREATER, 2));
            assertThat(stage.sent()).containsExactly(stage.elect(GREATER, 2));
        }

        @Test
        void a_key_below_the_greatest_forwarded_key_is_dropped() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elect(GREATER, 1));
            stage.receive(stage.elect(new Member("b", "1"), 1));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void the_own_key_is_repeated_with_a_growing_delay() {
            RingStage stage = RingStage.asLeader();
            for (long pause : new long[] {100, 200, 400}) {
                assertThat(stage.wakeInMillis()).isEqualTo(pause);
                stage.pass(pause - 1).wake();
                assertThat(stage.sent()).isEmpty();
                stage.pass(1).wake();
                assertThat(stage.sent(Elect.class).key()).isEqualTo(stage.key(ME));
            }
            assertThat(stage.sent(Elect.class).attempt()).isEqualTo(4);
        }

        @Test
        void a_member_that_forwarded_a_greater_key_does_not_repeat_its_own() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elect(GREATER, 1)).pass(999).wake();
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void a_key_that_returns_late_starts_no_leadership() {
            RingStage stage = RingStage.asLeader();
            Elect first = stage.sent(Elect.class);
            stage.pass(800).receive(first);
            assertThat(stage.of(Lead.class)).isEmpty();
        }

        @Test
        void the_leader_lease_starts_at_the_send_of_the_returned_key() {
            RingStage stage = RingStage.asLeader();
            stage.pass(100).wake();
            stage.pass(50).receive(stage.sent(Elect.class));
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(750);
        }

        @Test
        void the_leader_lease_of_an_earlier_attempt_starts_with_the_round() {
            RingStage stage = RingStage.asLeader();
            Elect first = stage.sent(Elect.class);
            stage.pass(100).wake().pass(50).receive(first);
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(650);
        }

        @Test
        void the_own_key_of_another_round_does_not_win() {
            RingStage stage = RingStage.asLeader();
            stage.receive(new Elect(
                    stage.view.id(), 0, new Key(true, OTHERS, 100, RingOrder.OLDEST, 1, ME), 1, Passed.NOTHING));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void a_key_returns_once() {
            RingStage stage = RingStage.asLeader();
            Elect home = stage.sent(Elect.class);
            stage.receive(home).receive(home);
            assertThat(stage.effects).hasSize(1);
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void a_message_of_another_algorithm_is_dropped() {
            RingStage stage = RingStage.asLeader();
            stage.receive(new Compare(stage.view.id(), 0, 1, false, stage.key(GREATER), Passed.NOTHING));
            assertThat(stage.dropped()).containsExactly(Why.OTHER_ALGORITHM);
            RingStage other = RingStage.peterson();
            other.install(other.view).receive(other.elect(GREATER, 1));
            assertThat(other.dropped()).containsExactly(Why.OTHER_ALGORITHM);
        }

        @Test
        void a_key_of_another_order_is_dropped_but_not_the_heartbeat_of_its_leader() {
            for (RingAlgorithm algorithm : RingAlgorithm.values()) {
                var stage =
                        new RingStage(new RingSettings(algorithm, TIMING, 100, true).withOrder(RingOrder.LOWEST_ID));
                stage.install(stage.view);
                stage.receive(
                        algorithm == RingAlgorithm.PETERSON
                                ? new Compare(stage.view.id(), 0, 1, false, stage.key(GREATER), Passed.NOTHING)
                                : stage.elect(GREATER, 1));
                assertThat(stage.dropped()).containsExactly(Why.OTHER_ORDER);
                assertThat(stage.sent()).isEmpty();
                stage.receive(stage.heartbeat(new Term(3, LESSER), 1));
                assertThat(stage.state.leader()).contains(new Term(3, LESSER));
            }
        }
    }

    @Nested
    @DisplayName("R4: the order of candidates")
    class Preference {
        private static final Member A = new Member("a", "1");
        private static final Member B = new Member("b", "1");

        private static Key key(RingOrder order, int priority, long joined, Member member) {
            return new Key(true, Term.NONE, priority, order, joined, member);
        }

        @Test
        void the_oldest_is_the_one_with_the_lowest_first_view_and_then_the_lowest_id() {
            RingOrder order = RingOrder.OLDEST;
            assertThat(key(order, 100, 1, B)).isGreaterThan(key(order, 100, 2, A));
            assertThat(key(order, 100, 1, A)).isGreaterThan(key(order, 100, 1, B));
        }

        @Test
        void the_lowest_id_wins_over_older_members() {
            RingOrder order = RingOrder.LOWEST_ID;
            assertThat(key(order, 100, 2, A)).isGreaterThan(key(order, 100, 1, B));
        }

        @Test
        void the_highest_id_wins_over_older_members() {
            RingOrder order = RingOrder.HIGHEST_ID;
            assertThat(key(order, 100, 2, B)).isGreaterThan(key(order, 100, 1, A));
        }

        @ParameterizedTest
        @EnumSource
        void a_leader_stays_and_the_higher_priority_comes_before_any_order(RingOrder order) {
            for (Member member : List.of(A, B)) {
                Member other = member.equals(A) ? B : A;
                assertThat(key(order, 50, 2, member)).isGreaterThan(key(order, 49, 1, other));
                assertThat(new Key(true, OTHERS, 0, order, 2, member)).isGreaterThan(key(order, 100, 1, other));
            }
        }

        @Test
        void a_lesser_key_by_the_order_is_dropped() {
            var stage = new RingStage(
                    new RingSettings(RingAlgorithm.CHANG_ROBERTS, TIMING, 100, true).withOrder(RingOrder.HIGHEST_ID));
            stage.install(stage.view);
            stage.receive(new Elect(stage.view.id(), 0, key(RingOrder.HIGHEST_ID, 100, 1, GREATER), 1, Passed.NOTHING));
            assertThat(stage.sent()).isEmpty();
            Key last = key(RingOrder.HIGHEST_ID, 100, 1, LESSER);
            stage.receive(new Elect(stage.view.id(), 0, last, 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).key()).isEqualTo(last);
        }
    }

    @Nested
    @DisplayName("R4: Peterson's algorithm")
    class Duel {
        private final RingStage stage = RingStage.peterson();

        private Compare compare(int phase, boolean second, Member key) {
            return new Compare(stage.view.id(), 0, phase, second, stage.key(key), Passed.NOTHING);
        }

        @Test
        void a_member_adopts_the_previous_key_if_it_is_the_greatest_of_three() {
            stage.install(stage.view);
            assertThat(stage.sent()).containsExactly(compare(1, false, ME));
            stage.receive(compare(1, false, GREATER));
            assertThat(stage.sent()).containsExactly(compare(1, true, GREATER));
            stage.receive(compare(1, true, LESSER));
            assertThat(stage.sent()).containsExactly(compare(2, false, GREATER));
            stage.receive(compare(2, false, GREATER));
            assertThat(stage.sent()).containsExactly(new Chosen(stage.view.id(), 0, GREATER, Passed.NOTHING));
        }

        @Test
        void a_member_that_does_not_adopt_only_forwards() {
            stage.install(stage.view).receive(compare(1, false, LESSER)).receive(compare(1, true, GREATER));
            assertThat(stage.sent()).isEmpty();
            stage.receive(compare(2, false, GREATER));
            assertThat(stage.sent()).containsExactly(compare(2, false, GREATER));
        }

        @Test
        void a_message_is_processed_once_and_in_order() {
            stage.install(stage.view).receive(compare(1, true, LESSER));
            assertThat(stage.dropped()).containsExactly(Why.OUT_OF_ORDER);
            stage.receive(compare(1, false, GREATER)).receive(compare(1, false, GREATER));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            stage.receive(compare(2, false, GREATER));
            assertThat(stage.dropped()).containsExactly(Why.OUT_OF_ORDER);
        }

        @Test
        void the_chosen_member_leads_once_above_the_greatest_collected_term() {
            stage.install(stage.view).receive(new Chosen(stage.view.id(), 0, ME, passed(OTHERS)));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(6, ME)));
            stage.receive(new Chosen(stage.view.id(), 0, ME, passed(OTHERS)));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void a_message_to_a_chosen_member_outside_the_view_is_dropped() {
            stage.install(stage.view).receive(new Chosen(stage.view.id(), 0, new Member("x", "1"), passed(OTHERS)));
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_forwarding_member_adds_its_term() {
            stage.install(stage.view).receive(stage.elected(OTHERS));
            stage.receive(new Compare(stage.view.id(), 1, 1, false, stage.key(GREATER), Passed.NOTHING));
            assertThat(stage.sent())
                    .hasSize(2)
                    .allMatch(m -> ((Compare) m).passed().term().equals(OTHERS));
        }
    }

    @Nested
    @DisplayName("R6, R7, R8: heartbeats")
    class HeartbeatsOfALeader {
        @Test
        void the_winner_leads_above_the_greatest_collected_term() {
            RingStage stage = RingStage.asLeader();
            Elect home = stage.sent(Elect.class);
            stage.receive(new Elect(home.view(), 0, home.key(), 1, passed(OTHERS)));
            Term term = new Term(6, ME);
            assertThat(stage.effects)
                    .containsExactly(
                            new Lead(term),
                            new Send(stage.view.after(ME), new Elected(stage.view.id(), 0, term, 1, beginning(term))),
                            new LeaderChanged(Optional.of(term)));
        }

        @Test
        void a_member_adds_its_greatest_term_to_a_forwarded_key() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elected(OTHERS));
            stage.receive(new Elect(stage.view.id(), 1, stage.key(GREATER), 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).passed().term()).isEqualTo(OTHERS);
        }

        @Test
        void a_leader_below_the_greatest_term_starts_a_new_term() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, ME, LESSER));
            Elect elect = stage.sent(Elect.class);
            stage.receive(new Elect(elect.view(), 0, elect.key(), 1, passed(OTHERS)));
            assertThat(stage.effects)
                    .startsWith(
                            new StepDown(FIRST, LossCause.SUPERSEDED),
                            new LeaderChanged(Optional.empty()),
                            new Lead(new Term(6, ME)));
        }

        @Test
        void a_heartbeat_confirms_from_the_time_it_was_sent() {
            RingStage stage = RingStage.leading();
            assertThat(stage.wakeInMillis()).isEqualTo(200);
            stage.pass(200).wake();
            Heartbeat heartbeat = stage.sent(Heartbeat.class);
            Moment sentAt = stage.now();
            stage.pass(150).receive(heartbeat);
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(650);
            assertThat(stage.state.confirmedAt()).contains(sentAt);
        }

        @Test
        void a_leadership_without_heartbeats_ends_before_the_election_timeout() {
            RingStage stage = RingStage.leading();
            for (int i = 0; i < 3; i++) {
                stage.pass(200).wake();
                assertThat(stage.sent(Heartbeat.class).sequence()).isEqualTo(i + 2);
            }
            assertThat(stage.wakeInMillis()).isEqualTo(200);
            stage.pass(199).wake();
            assertThat(stage.leads()).isTrue();
            stage.pass(1).wake();
            assertThat(stage.effects)
                    .startsWith(new StepDown(FIRST, LossCause.EXPIRED), new LeaderChanged(Optional.empty()));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
        }

        @Test
        void after_a_suspension_the_leadership_ends_first() {
            RingStage stage = RingStage.leading();
            stage.pass(5_000).receive(stage.elect(LESSER, 1));
            assertThat(stage.effects).startsWith(new StepDown(FIRST, LossCause.EXPIRED));
        }

        @Test
        void a_suspension_on_the_wall_clock_counts() {
            RingStage stage = RingStage.leading();
            stage.jumpWall(800).wake();
            assertThat(stage.of(StepDown.class)).containsExactly(new StepDown(FIRST, LossCause.SUSPENDED));
        }

        @Test
        void the_number_of_unconfirmed_heartbeats_is_limited() {
            LeaderState state = RingStage.leading().state.leaderState;
            for (int i = 0; i < 2 * LeaderState.SentHeartbeats.MAX; i++) {
                state = state.sending(
                        new LeaderState.SentHeartbeat(2 + i, RingStage.leading().now()), 0);
            }
            assertThat(state.sent().unreturned()).hasSize(LeaderState.SentHeartbeats.MAX);
        }

        @Test
        void a_follower_forwards_a_heartbeat_once_and_reports_the_leader() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elected(OTHERS));
            assertThat(stage.effects)
                    .containsExactlyInAnyOrder(
                            new LeaderChanged(Optional.of(OTHERS)),
                            new Send(stage.view.after(ME), stage.elected(OTHERS)));
            stage.receive(stage.heartbeat(OTHERS, 2));
            assertThat(stage.effects).containsExactly(new Send(stage.view.after(ME), stage.heartbeat(OTHERS, 2)));
            assertThat(stage.state.lastHeartbeat()).isEqualTo(2);
            stage.receive(stage.heartbeat(OTHERS, 2));
            assertThat(stage.sent()).isEmpty();
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void a_follower_without_heartbeats_reports_no_leader_and_opens_a_round() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elected(OTHERS));
            assertThat(stage.wakeInMillis()).isEqualTo(1_000);
            stage.pass(999).wake();
            assertThat(stage.effects).isEmpty();
            stage.pass(1).wake();
            assertThat(stage.of(LeaderChanged.class)).containsExactly(new LeaderChanged(Optional.empty()));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
        }

        @Test
        void the_timeout_of_failed_rounds_grows() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elect(GREATER, 1));
            for (long pause : new long[] {1_000, 2_000, 4_000, 8_000, 8_000}) {
                assertThat(stage.wakeInMillis()).isEqualTo(pause);
                stage.pass(pause).wake();
                stage.receive(new Elect(stage.view.id(), stage.state.round(), stage.key(GREATER), 1, Passed.NOTHING));
            }
        }

        @Test
        void a_leader_of_a_past_term_is_notified() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.elected(OTHERS));
            stage.receive(stage.heartbeat(new Term(4, LESSER), 7));
            assertThat(stage.of(Send.class)).containsExactly(new Send(LESSER, new Nack(stage.view.id(), OTHERS)));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.leader()).contains(OTHERS);
        }

        @Test
        void messages_of_a_past_round_are_dropped_and_no_heartbeat_is_sent_in_an_open_one() {
            RingStage stage = RingStage.leading();
            stage.receive(new Elect(stage.view.id(), 1, stage.key(LESSER), 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
            stage.pass(250).wake();
            assertThat(stage.sent()).noneMatch(Heartbeat.class::isInstance);
            stage.receive(stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }
    }

    @Nested
    @DisplayName("R9: the end of a leadership")
    class Outranked {
        @Test
        void a_leader_stops_before_it_forwards_a_greater_key() {
            RingStage stage = RingStage.leading();
            var incumbent = new Key(true, OTHERS, 100, RingOrder.OLDEST, 1, GREATER);
            stage.receive(new Elect(stage.view.id(), 1, incumbent, 1, passed(OTHERS)));
            assertThat(stage.effects.get(0)).isEqualTo(new StepDown(FIRST, LossCause.SUPERSEDED));
            assertThat(stage.sent(Elect.class).key()).isEqualTo(incumbent);
        }

        @Test
        void a_greater_term_ends_a_leadership_and_opens_a_round_if_the_view_is_the_same() {
            RingStage stage = RingStage.leading();
            stage.receive(LESSER, new Nack(stage.view.id(), OTHERS));
            assertThat(stage.of(StepDown.class)).containsExactly(new StepDown(FIRST, LossCause.SUPERSEDED));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.round()).isEqualTo(1);
            assertThat(elect.passed().term()).isEqualTo(OTHERS);
        }

        @Test
        void a_leader_in_a_past_view_stops_and_opens_no_round() {
            RingStage stage = RingStage.leading();
            stage.receive(LESSER, new Nack(new ViewId(2, "other"), OTHERS));
            assertThat(stage.leads()).isFalse();
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void an_equal_or_lesser_term_does_not_end_a_leadership() {
            RingStage stage = RingStage.leading();
            stage.receive(LESSER, new Nack(stage.view.id(), FIRST));
            assertThat(stage.leads()).isTrue();
            stage.receive(new Member("x", "1"), new Nack(stage.view.id(), OTHERS));
            assertThat(stage.leads()).isTrue();
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
        }
    }

    @Nested
    @DisplayName("R7: jeopardy")
    class Doubt {
        @Test
        void jeopardy_is_reported_once_after_half_the_lease_and_again_after_a_heartbeat_returned() {
            RingStage stage = RingStage.leading();
            stage.pass(200).wake();
            assertThat(stage.of(Jeopardy.class)).isEmpty();
            Heartbeat first = stage.sent(Heartbeat.class);
            stage.pass(200).wake();
            assertThat(stage.of(Jeopardy.class)).containsExactly(new Jeopardy(FIRST, Duration.ofMillis(400)));
            stage.pass(200).wake();
            assertThat(stage.of(Jeopardy.class)).isEmpty();
            stage.receive(stage.sent(Heartbeat.class));
            assertThat(stage.of(RingEffect.Recovered.class)).containsExactly(new RingEffect.Recovered(FIRST));
            stage.receive(first);
            assertThat(stage.of(RingEffect.Recovered.class)).isEmpty();
        }

        @Test
        void a_leader_in_doubt_recovers_when_it_wins_the_next_view() {
            RingStage stage = RingStage.leading();
            stage.pass(400).wake();
            assertThat(stage.of(Jeopardy.class)).hasSize(1);
            stage.install(view(2, ME, GREATER));
            assertThat(stage.of(RingEffect.Recovered.class)).isEmpty();
            stage.receive(stage.sent(Elect.class));
            assertThat(stage.of(RingEffect.Recovered.class)).containsExactly(new RingEffect.Recovered(FIRST));
        }

        @Test
        void a_lone_leader_that_wakes_late_recovers_in_the_same_step() {
            var stage = new RingStage();
            stage.install(view(1, ME)).pass(450).wake();
            assertThat(stage.effects)
                    .containsExactly(new Jeopardy(FIRST, Duration.ofMillis(350)), new RingEffect.Recovered(FIRST));
        }
    }

    @Nested
    @DisplayName("R10, R11, R12: single members, other senders, and members that do not campaign")
    class Others {
        @Test
        void a_single_member_leads_at_once_without_messages() {
            var stage = new RingStage();
            stage.install(view(1, ME));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(FIRST));
            for (int i = 0; i < 10; i++) {
                stage.pass(200).wake();
                assertThat(stage.effects).isEmpty();
            }
            assertThat(stage.leads()).isTrue();
        }

        @Test
        void only_messages_of_the_predecessor_are_accepted() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.view.after(ME), stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_member_that_resigns_opens_a_round_and_wins_only_without_other_candidates() {
            RingStage stage = RingStage.leading();
            stage.resign(500);
            assertThat(stage.effects)
                    .startsWith(new StepDown(FIRST, LossCause.RESIGNED), new LeaderChanged(Optional.empty()));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().isGreaterThan(stage.key(LESSER))).isFalse();
            stage.receive(elect);
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void a_withdrawn_member_stops_with_its_cause_and_does_not_win() {
            RingStage stage = RingStage.leading();
            stage.withdraw(LossCause.UNHEALTHY);
            assertThat(stage.effects)
                    .startsWith(new StepDown(FIRST, LossCause.UNHEALTHY), new LeaderChanged(Optional.empty()));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isFalse();
            stage.receive(elect).pass(3_000).wake();
            assertThat(stage.leads()).isFalse();
            stage.take(new RingInput.Campaign(stage.now()));
            elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isTrue();
            assertThat(stage.receive(elect).leads()).isTrue();
        }

        @Test
        void a_member_that_withdrew_before_it_wins_opens_the_next_round() {
            RingStage stage = RingStage.asLeader();
            Elect elect = stage.sent(Elect.class);
            stage.withdraw(LossCause.PAUSED);
            assertThat(stage.effects).isEmpty();
            stage.receive(elect);
            assertThat(stage.leads()).isFalse();
            Elect next = stage.sent(Elect.class);
            assertThat(next.round()).isEqualTo(1);
            assertThat(next.key().campaigns()).isFalse();
        }

        @Test
        void a_member_that_resigned_before_it_wins_opens_the_next_round() {
            RingStage stage = RingStage.asLeader();
            Elect elect = stage.sent(Elect.class);
            stage.resign(500).receive(elect);
            assertThat(stage.leads()).isFalse();
            Elect next = stage.sent(Elect.class);
            assertThat(next.round()).isEqualTo(1);
            assertThat(next.key().campaigns()).isFalse();
        }

        @Test
        void a_member_that_campaigns_again_opens_no_round_if_it_takes_part_in_this_one_or_another_member_leads() {
            RingStage stage = RingStage.asLeader();
            stage.withdraw(LossCause.PAUSED).take(new RingInput.Campaign(stage.now()));
            assertThat(stage.effects).isEmpty();
            stage.receive(stage.elect(GREATER, 1))
                    .receive(stage.elected(OTHERS))
                    .withdraw(LossCause.PAUSED);
            stage.take(new RingInput.Campaign(stage.now()));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void a_single_member_that_withdrew_leads_again_when_it_campaigns() {
            var stage = new RingStage();
            stage.install(view(1, ME)).withdraw(LossCause.PAUSED);
            assertThat(stage.leads()).isFalse();
            stage.take(new RingInput.Campaign(stage.now()));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(2, ME)));
        }

        @Test
        void after_its_cooldown_a_member_campaigns_again_if_no_member_leads() {
            RingStage stage = RingStage.leading();
            stage.resign(500);
            stage.receive(stage.sent(Elect.class));
            assertThat(stage.wakeInMillis()).isEqualTo(500);
            assertThat(stage.pass(499).state.campaigns(stage.now())).isFalse();
            assertThat(stage.pass(1).state.campaigns(stage.now())).isTrue();
            stage.wake();
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isTrue();
            assertThat(elect.round()).isEqualTo(2);
            stage.receive(elect);
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(2, ME)));
        }

        @Test
        void an_observer_forwards_and_never_leads() {
            var stage = new RingStage(new RingSettings(RingAlgorithm.CHANG_ROBERTS, TIMING, 100, false));
            stage.install(stage.view);
            Elect own = stage.sent(Elect.class);
            stage.receive(stage.elect(LESSER, 1));
            assertThat(stage.sent()).containsExactly(stage.elect(LESSER, 1));
            stage.install(view(2, ME));
            assertThat(stage.leads()).isFalse();
            assertThat(own.key().campaigns()).isFalse();
        }

        @Test
        void a_member_that_leaves_stops_and_sends_nothing() {
            RingStage stage = RingStage.leading();
            stage.take(new RingInput.Leave(stage.now()));
            assertThat(stage.effects)
                    .containsExactly(new StepDown(FIRST, LossCause.CLOSED), new LeaderChanged(Optional.empty()));
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
            stage.install(view(2, ME, GREATER));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void a_member_that_leaves_drops_the_messages_of_later_views() {
            RingStage stage = RingStage.leading();
            stage.receive(new Heartbeat(new ViewId(2, "test"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.state.buffered()).isEqualTo(1);
            stage.take(new RingInput.Leave(stage.now()));
            assertThat(stage.state.buffered()).isZero();
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
        }
    }
}
