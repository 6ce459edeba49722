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
 * Tests the rules of docs/spec/ring.md step by step.
 *
 * <p>Longer than most tests, because the rules are in one file, in their order.
 */
class RingMachineTest {

    private static final Term FIRST = new Term(1, ME);
    private static final Term OTHERS = new Term(5, GREATER);

    @Nested
    @DisplayName("R1: order on the ring")
    class OrderRules {
        @Test
        void the_ring_is_in_the_order_of_the_first_eight_bytes_of_sha256() {
            // printf 'a\0001' | sha256sum; the last member is last only if the hashes are compared as unsigned numbers.
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
        void a_member_begins_when_it_is_seated() {
            RingStage stage = RingStage.seated();
            assertThat(stage.effects).containsExactly(new Send(stage.view.after(ME), stage.elect(ME, 1)));
            assertThat(stage.state.me()).isEqualTo(ME);
        }

        @Test
        void a_first_view_of_number_0_is_the_first_one_all_the_same() {
            var stage = new RingStage();
            stage.install(view(0, ME)).withdraw(LossCause.PAUSED).install(view(1, ME, LESSER));
            assertThat(stage.sent(Elect.class).key().joined()).isZero();
        }

        @Test
        void what_came_before_its_view_is_kept_and_a_greater_key_saves_the_own() {
            var stage = new RingStage();
            Elect early = stage.elect(GREATER, 1);
            stage.hear(early);
            assertThat(stage.effects).isEmpty();
            stage.install(stage.view);
            assertThat(stage.sent()).containsExactly(early);
        }

        @Test
        void what_was_kept_is_dropped_after_its_time() {
            var stage = new RingStage();
            stage.hear(stage.elect(GREATER, 1));
            assertThat(stage.wakeInMillis()).isEqualTo(TIMING.keep().toMillis());
            stage.pass(999).wake();
            assertThat(stage.dropped()).isEmpty();
            stage.pass(1).wake();
            assertThat(stage.dropped()).containsExactly(Why.NOT_KEPT);
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void too_much_is_not_kept() {
            var stage = new RingStage();
            for (int i = 0; i < ViewChanges.MAX_HELD; i++) {
                stage.hear(stage.elect(LESSER, i + 1));
                assertThat(stage.dropped()).isEmpty();
            }
            stage.hear(stage.elect(GREATER, 1));
            assertThat(stage.effects)
                    .containsExactly(
                            new RingEffect.Dropped(stage.view.before(ME), stage.elect(LESSER, 1), Why.NOT_KEPT));
        }

        @Test
        void a_message_of_an_older_view_is_answered_with_where_one_is() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, ME, LESSER));
            stage.hear(GREATER, stage.elect(GREATER, 1));
            assertThat(stage.of(Send.class)).containsExactly(new Send(GREATER, new Nack(new ViewId(2, "test"), FIRST)));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }

        @Test
        void a_view_that_was_left_is_past_whatever_its_number_and_one_never_seen_is_past_by_its_number() {
            RingStage stage = RingStage.seated();
            stage.install(new View(new ViewId(1, "other"), List.of(ME, LESSER)));
            stage.hear(GREATER, stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.install(view(9, ME, LESSER));
            stage.hear(GREATER, new Heartbeat(new ViewId(8, "other"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }

        @Test
        void a_view_that_was_left_is_not_entered_again() {
            RingStage stage = RingStage.seated();
            View next = view(2, ME, LESSER);
            stage.install(next).install(next);
            assertThat(stage.effects).isEmpty();
            stage.install(stage.view);
            assertThat(stage.effects).isEmpty();
            assertThat(stage.state.view()).contains(next);
        }

        @Test
        void only_so_many_views_are_remembered() {
            RingStage stage = RingStage.seated();
            for (int i = 0; i < 2 * ViewChanges.MAX_PAST; i++) {
                stage.install(view(2 + i, ME, LESSER));
            }
            assertThat(stage.state.past).hasSize(ViewChanges.MAX_PAST);
        }

        @Test
        void who_is_put_out_stops_leading_and_names_nobody() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, GREATER, LESSER));
            assertThat(stage.effects)
                    .containsExactly(new StepDown(FIRST, LossCause.SUPERSEDED), new LeaderChanged(Optional.empty()));
            assertThat(stage.state.view()).isEmpty();
        }

        @Test
        void a_member_keeps_no_messages_of_the_view_that_put_it_out() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, GREATER, LESSER));
            stage.hear(GREATER, new Heartbeat(new ViewId(2, "test"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.buffered()).isZero();
        }

        @Test
        void a_leader_that_is_not_in_the_view_is_named_no_more() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elected(OTHERS));
            stage.install(view(2, ME, LESSER));
            assertThat(stage.of(LeaderChanged.class)).containsExactly(new LeaderChanged(Optional.empty()));
        }

        @Test
        void a_leader_that_is_stays_named_and_a_leader_stays() {
            RingStage follower = RingStage.seated();
            follower.hear(follower.elected(OTHERS)).install(view(2, ME, GREATER));
            assertThat(follower.of(LeaderChanged.class)).isEmpty();
            RingStage leader = RingStage.leading();
            leader.install(view(2, ME, GREATER));
            Elect elect = leader.sent(Elect.class);
            assertThat(elect.key().incumbent()).isEqualTo(FIRST);
            assertThat(elect.key().isGreaterThan(leader.key(GREATER))).isTrue();
            leader.hear(elect);
            assertThat(leader.of(Lead.class)).isEmpty();
            assertThat(leader.sent(Elected.class).term()).isEqualTo(FIRST);
        }
    }

    @Nested
    @DisplayName("R4, R5: Chang-Roberts, and what is lost")
    class Race {
        @Test
        void a_lesser_key_ends_here_a_greater_goes_on_and_only_once() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elect(LESSER, 1));
            assertThat(stage.effects).isEmpty();
            stage.hear(stage.elect(GREATER, 1));
            assertThat(stage.sent()).containsExactly(stage.elect(GREATER, 1));
            stage.hear(stage.elect(GREATER, 1));
            assertThat(stage.effects).hasSize(1);
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            stage.hear(stage.elect(GREATER, 2));
            assertThat(stage.sent()).containsExactly(stage.elect(GREATER, 2));
        }

        @Test
        void a_key_between_the_own_and_the_greatest_seen_ends_here_too() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elect(GREATER, 1));
            stage.hear(stage.elect(new Member("b", "1"), 1));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void the_own_key_is_sent_again_ever_more_slowly() {
            RingStage stage = RingStage.seated();
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
        void who_has_seen_a_greater_key_does_not_send_its_own_again() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elect(GREATER, 1)).pass(999).wake();
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void a_key_that_comes_home_late_makes_no_leader() {
            RingStage stage = RingStage.seated();
            Elect first = stage.sent(Elect.class);
            stage.pass(800).hear(first);
            assertThat(stage.of(Lead.class)).isEmpty();
        }

        @Test
        void leading_counts_from_the_sending_of_the_attempt_that_came_home() {
            RingStage stage = RingStage.seated();
            stage.pass(100).wake();
            stage.pass(50).hear(stage.sent(Elect.class));
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(750);
        }

        @Test
        void an_earlier_attempt_counts_from_the_beginning_of_the_round() {
            RingStage stage = RingStage.seated();
            Elect first = stage.sent(Elect.class);
            stage.pass(100).wake().pass(50).hear(first);
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(650);
        }

        @Test
        void a_key_of_ones_own_that_is_not_of_this_round_does_not_win() {
            RingStage stage = RingStage.seated();
            stage.hear(new Elect(
                    stage.view.id(), 0, new Key(true, OTHERS, 100, RingOrder.OLDEST, 1, ME), 1, Passed.NOTHING));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void a_key_comes_home_once() {
            RingStage stage = RingStage.seated();
            Elect home = stage.sent(Elect.class);
            stage.hear(home).hear(home);
            assertThat(stage.effects).hasSize(1);
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void another_algorithms_message_is_dropped() {
            RingStage stage = RingStage.seated();
            stage.hear(new Compare(stage.view.id(), 0, 1, false, stage.key(GREATER), Passed.NOTHING));
            assertThat(stage.dropped()).containsExactly(Why.OTHER_ALGORITHM);
            RingStage other = RingStage.peterson();
            other.install(other.view).hear(other.elect(GREATER, 1));
            assertThat(other.dropped()).containsExactly(Why.OTHER_ALGORITHM);
        }

        @Test
        void a_key_of_another_order_is_dropped_but_not_the_heartbeat_of_its_leader() {
            for (RingAlgorithm algorithm : RingAlgorithm.values()) {
                var stage =
                        new RingStage(new RingSettings(algorithm, TIMING, 100, true).withOrder(RingOrder.LOWEST_ID));
                stage.install(stage.view);
                stage.hear(
                        algorithm == RingAlgorithm.PETERSON
                                ? new Compare(stage.view.id(), 0, 1, false, stage.key(GREATER), Passed.NOTHING)
                                : stage.elect(GREATER, 1));
                assertThat(stage.dropped()).containsExactly(Why.OTHER_ORDER);
                assertThat(stage.sent()).isEmpty();
                stage.hear(stage.beat(new Term(3, LESSER), 1));
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
        void the_lowest_id_counts_whoever_was_there_first() {
            RingOrder order = RingOrder.LOWEST_ID;
            assertThat(key(order, 100, 2, A)).isGreaterThan(key(order, 100, 1, B));
        }

        @Test
        void the_highest_id_counts_whoever_was_there_first() {
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
        void a_lesser_key_by_the_order_ends_here() {
            var stage = new RingStage(
                    new RingSettings(RingAlgorithm.CHANG_ROBERTS, TIMING, 100, true).withOrder(RingOrder.HIGHEST_ID));
            stage.install(stage.view);
            stage.hear(new Elect(stage.view.id(), 0, key(RingOrder.HIGHEST_ID, 100, 1, GREATER), 1, Passed.NOTHING));
            assertThat(stage.sent()).isEmpty();
            Key last = key(RingOrder.HIGHEST_ID, 100, 1, LESSER);
            stage.hear(new Elect(stage.view.id(), 0, last, 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).key()).isEqualTo(last);
        }
    }

    @Nested
    @DisplayName("R4: Peterson")
    class Duel {
        private final RingStage stage = RingStage.peterson();

        private Compare compare(int phase, boolean second, Member key) {
            return new Compare(stage.view.id(), 0, phase, second, stage.key(key), Passed.NOTHING);
        }

        @Test
        void a_member_takes_the_key_before_it_if_that_is_the_greatest_of_three() {
            stage.install(stage.view);
            assertThat(stage.sent()).containsExactly(compare(1, false, ME));
            stage.hear(compare(1, false, GREATER));
            assertThat(stage.sent()).containsExactly(compare(1, true, GREATER));
            stage.hear(compare(1, true, LESSER));
            assertThat(stage.sent()).containsExactly(compare(2, false, GREATER));
            stage.hear(compare(2, false, GREATER));
            assertThat(stage.sent()).containsExactly(new Chosen(stage.view.id(), 0, GREATER, Passed.NOTHING));
        }

        @Test
        void otherwise_it_only_passes_on() {
            stage.install(stage.view).hear(compare(1, false, LESSER)).hear(compare(1, true, GREATER));
            assertThat(stage.sent()).isEmpty();
            stage.hear(compare(2, false, GREATER));
            assertThat(stage.sent()).containsExactly(compare(2, false, GREATER));
        }

        @Test
        void a_message_is_taken_once_and_in_its_order() {
            stage.install(stage.view).hear(compare(1, true, LESSER));
            assertThat(stage.dropped()).containsExactly(Why.OUT_OF_ORDER);
            stage.hear(compare(1, false, GREATER)).hear(compare(1, false, GREATER));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
            stage.hear(compare(2, false, GREATER));
            assertThat(stage.dropped()).containsExactly(Why.OUT_OF_ORDER);
        }

        @Test
        void who_is_chosen_leads_above_the_greatest_term_on_the_way_and_only_once() {
            stage.install(stage.view).hear(new Chosen(stage.view.id(), 0, ME, passed(OTHERS)));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(6, ME)));
            stage.hear(new Chosen(stage.view.id(), 0, ME, passed(OTHERS)));
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void a_chosen_one_that_is_not_in_the_view_is_not_looked_for_for_ever() {
            stage.install(stage.view).hear(new Chosen(stage.view.id(), 0, new Member("x", "1"), passed(OTHERS)));
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_term_is_gathered_by_who_only_passes_on() {
            stage.install(stage.view).hear(stage.elected(OTHERS));
            stage.hear(new Compare(stage.view.id(), 1, 1, false, stage.key(GREATER), Passed.NOTHING));
            assertThat(stage.sent())
                    .hasSize(2)
                    .allMatch(m -> ((Compare) m).passed().term().equals(OTHERS));
        }
    }

    @Nested
    @DisplayName("R6, R7, R8: heartbeats")
    class HeartbeatsOfALeader {
        @Test
        void the_winner_leads_above_the_greatest_term_on_the_way_and_says_so() {
            RingStage stage = RingStage.seated();
            Elect home = stage.sent(Elect.class);
            stage.hear(new Elect(home.view(), 0, home.key(), 1, passed(OTHERS)));
            Term term = new Term(6, ME);
            assertThat(stage.effects)
                    .containsExactly(
                            new Lead(term),
                            new Send(stage.view.after(ME), new Elected(stage.view.id(), 0, term, 1, beginning(term))),
                            new LeaderChanged(Optional.of(term)));
        }

        @Test
        void a_member_hands_its_greatest_term_to_the_key_that_passes() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elected(OTHERS));
            stage.hear(new Elect(stage.view.id(), 1, stage.key(GREATER), 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).passed().term()).isEqualTo(OTHERS);
        }

        @Test
        void a_leader_whose_term_is_not_the_greatest_any_more_takes_a_new_one() {
            RingStage stage = RingStage.leading();
            stage.install(view(2, ME, LESSER));
            Elect elect = stage.sent(Elect.class);
            stage.hear(new Elect(elect.view(), 0, elect.key(), 1, passed(OTHERS)));
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
            Heartbeat beat = stage.sent(Heartbeat.class);
            Moment sentAt = stage.now();
            stage.pass(150).hear(beat);
            assertThat(stage.state.remainingAt(stage.now()).toMillis()).isEqualTo(650);
            assertThat(stage.state.confirmedAt()).contains(sentAt);
        }

        @Test
        void leading_ends_without_heartbeats_before_a_follower_gives_up() {
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
        void after_a_pause_leading_has_ended_before_anything_else_is_done() {
            RingStage stage = RingStage.leading();
            stage.pass(5_000).hear(stage.elect(LESSER, 1));
            assertThat(stage.effects).startsWith(new StepDown(FIRST, LossCause.EXPIRED));
        }

        @Test
        void a_suspension_that_only_the_wall_clock_saw_counts_too() {
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
        void a_follower_forwards_a_heartbeat_once_and_names_the_leader() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elected(OTHERS));
            assertThat(stage.effects)
                    .containsExactlyInAnyOrder(
                            new LeaderChanged(Optional.of(OTHERS)),
                            new Send(stage.view.after(ME), stage.elected(OTHERS)));
            stage.hear(stage.beat(OTHERS, 2));
            assertThat(stage.effects).containsExactly(new Send(stage.view.after(ME), stage.beat(OTHERS, 2)));
            assertThat(stage.state.lastHeartbeat()).isEqualTo(2);
            stage.hear(stage.beat(OTHERS, 2));
            assertThat(stage.sent()).isEmpty();
            assertThat(stage.dropped()).containsExactly(Why.REPEATED);
        }

        @Test
        void a_follower_without_heartbeats_names_nobody_and_opens_a_round() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elected(OTHERS));
            assertThat(stage.wakeInMillis()).isEqualTo(1_000);
            stage.pass(999).wake();
            assertThat(stage.effects).isEmpty();
            stage.pass(1).wake();
            assertThat(stage.of(LeaderChanged.class)).containsExactly(new LeaderChanged(Optional.empty()));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
        }

        @Test
        void vain_rounds_are_given_up_ever_more_slowly() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elect(GREATER, 1));
            for (long pause : new long[] {1_000, 2_000, 4_000, 8_000, 8_000}) {
                assertThat(stage.wakeInMillis()).isEqualTo(pause);
                stage.pass(pause).wake();
                stage.hear(new Elect(stage.view.id(), stage.state.round(), stage.key(GREATER), 1, Passed.NOTHING));
            }
        }

        @Test
        void a_leader_of_a_past_term_is_told_so() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.elected(OTHERS));
            stage.hear(stage.beat(new Term(4, LESSER), 7));
            assertThat(stage.of(Send.class)).containsExactly(new Send(LESSER, new Nack(stage.view.id(), OTHERS)));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.leader()).contains(OTHERS);
        }

        @Test
        void messages_of_a_past_round_are_dropped_and_no_heartbeat_is_sent_in_an_open_one() {
            RingStage stage = RingStage.leading();
            stage.hear(new Elect(stage.view.id(), 1, stage.key(LESSER), 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
            stage.pass(250).wake();
            assertThat(stage.sent()).noneMatch(Heartbeat.class::isInstance);
            stage.hear(stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }
    }

    @Nested
    @DisplayName("R9: what ends a leadership")
    class Outranked {
        @Test
        void a_leader_stops_before_a_greater_key_goes_on() {
            RingStage stage = RingStage.leading();
            var incumbent = new Key(true, OTHERS, 100, RingOrder.OLDEST, 1, GREATER);
            stage.hear(new Elect(stage.view.id(), 1, incumbent, 1, passed(OTHERS)));
            assertThat(stage.effects.get(0)).isEqualTo(new StepDown(FIRST, LossCause.SUPERSEDED));
            assertThat(stage.sent(Elect.class).key()).isEqualTo(incumbent);
        }

        @Test
        void a_greater_term_ends_a_leadership_and_opens_a_round_if_the_view_is_the_same() {
            RingStage stage = RingStage.leading();
            stage.hear(LESSER, new Nack(stage.view.id(), OTHERS));
            assertThat(stage.of(StepDown.class)).containsExactly(new StepDown(FIRST, LossCause.SUPERSEDED));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.round()).isEqualTo(1);
            assertThat(elect.passed().term()).isEqualTo(OTHERS);
        }

        @Test
        void in_a_view_that_others_have_left_a_leader_stops_and_opens_no_round() {
            RingStage stage = RingStage.leading();
            stage.hear(LESSER, new Nack(new ViewId(2, "other"), OTHERS));
            assertThat(stage.leads()).isFalse();
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void an_equal_or_lesser_term_and_a_stranger_end_nothing() {
            RingStage stage = RingStage.leading();
            stage.hear(LESSER, new Nack(stage.view.id(), FIRST));
            assertThat(stage.leads()).isTrue();
            stage.hear(new Member("x", "1"), new Nack(stage.view.id(), OTHERS));
            assertThat(stage.leads()).isTrue();
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
        }
    }

    @Nested
    @DisplayName("R7: doubt")
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
            stage.hear(stage.sent(Heartbeat.class));
            assertThat(stage.of(RingEffect.Recovered.class)).containsExactly(new RingEffect.Recovered(FIRST));
            stage.hear(first);
            assertThat(stage.of(RingEffect.Recovered.class)).isEmpty();
        }

        @Test
        void a_leader_in_doubt_recovers_when_it_wins_the_next_view() {
            RingStage stage = RingStage.leading();
            stage.pass(400).wake();
            assertThat(stage.of(Jeopardy.class)).hasSize(1);
            stage.install(view(2, ME, GREATER));
            assertThat(stage.of(RingEffect.Recovered.class)).isEmpty();
            stage.hear(stage.sent(Elect.class));
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
    @DisplayName("R10, R11, R12: alone, strangers, who does not campaign")
    class Others {
        @Test
        void who_is_alone_leads_at_once_and_goes_on_without_a_message() {
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
        void only_the_predecessor_is_heard() {
            RingStage stage = RingStage.seated();
            stage.hear(stage.view.after(ME), stage.elect(GREATER, 1));
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void who_resigns_stops_opens_a_round_and_would_win_only_if_nobody_stood() {
            RingStage stage = RingStage.leading();
            stage.resign(500);
            assertThat(stage.effects)
                    .startsWith(new StepDown(FIRST, LossCause.RESIGNED), new LeaderChanged(Optional.empty()));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().isGreaterThan(stage.key(LESSER))).isFalse();
            stage.hear(elect);
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void who_stands_back_stops_for_that_cause_and_wins_nothing_until_it_stands() {
            RingStage stage = RingStage.leading();
            stage.withdraw(LossCause.UNHEALTHY);
            assertThat(stage.effects)
                    .startsWith(new StepDown(FIRST, LossCause.UNHEALTHY), new LeaderChanged(Optional.empty()));
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isFalse();
            stage.hear(elect).pass(3_000).wake();
            assertThat(stage.leads()).isFalse();
            stage.take(new RingInput.Campaign(stage.now()));
            elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isTrue();
            assertThat(stage.hear(elect).leads()).isTrue();
        }

        @Test
        void who_stood_back_during_a_round_that_it_wins_opens_the_next_one() {
            RingStage stage = RingStage.seated();
            Elect elect = stage.sent(Elect.class);
            stage.withdraw(LossCause.PAUSED);
            assertThat(stage.effects).isEmpty();
            stage.hear(elect);
            assertThat(stage.leads()).isFalse();
            Elect next = stage.sent(Elect.class);
            assertThat(next.round()).isEqualTo(1);
            assertThat(next.key().campaigns()).isFalse();
        }

        @Test
        void who_resigned_during_a_round_that_it_wins_opens_the_next_one() {
            RingStage stage = RingStage.seated();
            Elect elect = stage.sent(Elect.class);
            stage.resign(500).hear(elect);
            assertThat(stage.leads()).isFalse();
            Elect next = stage.sent(Elect.class);
            assertThat(next.round()).isEqualTo(1);
            assertThat(next.key().campaigns()).isFalse();
        }

        @Test
        void who_stands_again_opens_no_round_if_it_stands_in_this_one_or_another_leads() {
            RingStage stage = RingStage.seated();
            stage.withdraw(LossCause.PAUSED).take(new RingInput.Campaign(stage.now()));
            assertThat(stage.effects).isEmpty();
            stage.hear(stage.elect(GREATER, 1)).hear(stage.elected(OTHERS)).withdraw(LossCause.PAUSED);
            stage.take(new RingInput.Campaign(stage.now()));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void who_is_alone_and_stands_back_leads_again_when_it_stands() {
            var stage = new RingStage();
            stage.install(view(1, ME)).withdraw(LossCause.PAUSED);
            assertThat(stage.leads()).isFalse();
            stage.take(new RingInput.Campaign(stage.now()));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(2, ME)));
        }

        @Test
        void after_its_cooldown_it_stands_again_if_nobody_leads() {
            RingStage stage = RingStage.leading();
            stage.resign(500);
            stage.hear(stage.sent(Elect.class));
            assertThat(stage.wakeInMillis()).isEqualTo(500);
            assertThat(stage.pass(499).state.campaigns(stage.now())).isFalse();
            assertThat(stage.pass(1).state.campaigns(stage.now())).isTrue();
            stage.wake();
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.key().campaigns()).isTrue();
            assertThat(elect.round()).isEqualTo(2);
            stage.hear(elect);
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(2, ME)));
        }

        @Test
        void an_observer_passes_on_and_never_leads() {
            var stage = new RingStage(new RingSettings(RingAlgorithm.CHANG_ROBERTS, TIMING, 100, false));
            stage.install(stage.view);
            Elect own = stage.sent(Elect.class);
            stage.hear(stage.elect(LESSER, 1));
            assertThat(stage.sent()).containsExactly(stage.elect(LESSER, 1));
            stage.install(view(2, ME));
            assertThat(stage.leads()).isFalse();
            assertThat(own.key().campaigns()).isFalse();
        }

        @Test
        void who_leaves_stops_and_says_no_more() {
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
            stage.hear(new Heartbeat(new ViewId(2, "test"), 0, OTHERS, 1, Optional.empty()));
            assertThat(stage.state.buffered()).isEqualTo(1);
            stage.take(new RingInput.Leave(stage.now()));
            assertThat(stage.state.buffered()).isZero();
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
        }
    }
}
