package dev.doyen.ranking;

import static dev.doyen.ranking.RankingStage.ME;
import static dev.doyen.ranking.RankingStage.SETTINGS;
import static dev.doyen.ranking.RankingStage.ended;
import static dev.doyen.ranking.RankingStage.entered;
import static dev.doyen.ranking.RankingStage.granted;
import static dev.doyen.ranking.RankingStage.ineligible;
import static dev.doyen.ranking.RankingStage.leading;
import static dev.doyen.ranking.RankingStage.me;
import static dev.doyen.ranking.RankingStage.member;
import static dev.doyen.ranking.RankingStage.other;
import static dev.doyen.ranking.RankingStage.preferred;
import static dev.doyen.ranking.RankingStage.stamped;
import static dev.doyen.ranking.RankingStage.stranger;
import static dev.doyen.ranking.Role.FOLLOWER;
import static dev.doyen.ranking.Role.LEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.ranking.RankingEffect.Claim;
import dev.doyen.ranking.RankingEffect.Follow;
import dev.doyen.ranking.RankingEffect.Leader;
import dev.doyen.ranking.RankingEffect.Leave;
import dev.doyen.ranking.RankingEffect.Ping;
import dev.doyen.ranking.RankingEffect.StartWork;
import dev.doyen.ranking.RankingEffect.StopWork;
import dev.doyen.ranking.RankingInput.Action;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of docs/spec/ranking.md, a step at a time. Longer than most: they are read beside each other, in order. */
class RankingMachineTest {

    private static final Leader NOBODY = new Leader(Optional.empty());

    @Nested
    @DisplayName("K1, K2: sight, and one writer")
    class SightAndWrites {
        @Test
        void nothing_is_decided_before_the_set_is_complete_and_what_was_heard_overrides_it() {
            var stage = new RankingStage(SETTINGS);
            stage.take(new RankingInput.Connected(stage.now(), ME));
            stage.take(new RankingInput.SyncStarted(stage.now()));
            stage.hear(Action.LEAVE, other(LEADER, 3)).pass(60_000).tick();
            assertThat(stage.effects).isEmpty();
            assertThat(stage.wakeInMillis()).isEqualTo(-1);
            stage.take(new RankingInput.SyncComplete(stage.now(), List.of(other(LEADER, 3))));
            assertThat(stage.effects).containsExactly(new Follow(1, 3, true));
            assertThat(stage.state.members()).isEmpty();
        }

        @Test
        void a_second_write_waits_for_the_echo_of_the_first_and_an_acknowledgement_is_none() {
            var stage = new RankingStage(SETTINGS);
            stage.take(new RankingInput.Connected(stage.now(), ME));
            stage.take(new RankingInput.SyncComplete(stage.now(), List.of()));
            stage.take(new RankingInput.Acked(stage.now(), 1)).pass(9_999).tick();
            assertThat(stage.effects).isEmpty();
            stage.pass(1).tick();
            assertThat(stage.effects).as("10 s are enough").containsExactly(new Follow(2, 0, true));
            stage.hear(Action.ENTER, me(FOLLOWER, 0, 1));
            assertThat(stage.wakeInMillis()).as("the echo of an older write").isEqualTo(10_000);
            stage.hear(Action.UPDATE, me(FOLLOWER, 0, 2));
            assertThat(stage.effects).as("it has settled long ago").containsExactly(new Claim(3, 1));
        }
    }

    @Nested
    @DisplayName("K4, K5: winner and rank")
    class WinnerAndRank {
        @Test
        void stamped_before_unstamped_then_the_term_then_the_order_then_the_key() {
            Member stamped = stamped(member("9:z", 50, LEADER, 0, 1), 2);
            Member talk = member("1:a", 1, LEADER, 99, 1);
            assertThat(Winner.among(List.of(talk, stamped))).hasValue(stamped);
            Member newer = stamped(member("8:y", 60, LEADER, 0, 1), 3);
            assertThat(Winner.among(List.of(stamped, newer, talk))).hasValue(newer);
            Member early = member("5:b", 1, LEADER, 7, 1);
            Member late = member("3:c", 2, LEADER, 7, 1);
            assertThat(Winner.among(List.of(late, early))).hasValue(early);
            Member same = member("4:d", 1, LEADER, 7, 1);
            assertThat(Winner.among(List.of(early, same, late))).hasValue(same);
            assertThat(Winner.among(List.of(other(FOLLOWER, 9)))).isEmpty();
        }

        @Test
        void keys_stand_in_the_order_of_their_bytes_not_of_javas_characters() {
            assertThat(Ranking.compareKeys("\uffee", "\ud83d\ude00")).isNegative();
            assertThat("\uffee".compareTo("\ud83d\ude00")).isPositive();
            assertThat(Ranking.compareKeys("ab", "a")).isPositive();
            assertThat(Ranking.compareKeys("a", "a")).isZero();
        }

        @Test
        void the_oldest_first_but_for_priority_and_only_the_eligible_count() {
            Member me = me(FOLLOWER, 0, 1);
            Member older = member("9:z", 50, FOLLOWER, 0, 1);
            Member younger = member("0:a", 150, FOLLOWER, 0, 1);
            assertThat(Ranking.oldest().position(List.of(me, older, younger), me))
                    .isEqualTo(1);
            assertThat(Ranking.oldest().position(List.of(me, older, preferred(younger, 1)), me))
                    .isEqualTo(2);
            assertThat(Ranking.oldest().position(List.of(me, ineligible(older)), me))
                    .isZero();
            assertThat(Ranking.oldest().position(List.of(me, member("0:a", 100, FOLLOWER, 0, 1)), me))
                    .isEqualTo(1);
        }

        @Test
        void the_lowest_id_first_or_an_order_of_ones_own() {
            Member me = me(FOLLOWER, 0, 1);
            Member lowerId = member("9:aa", 150, FOLLOWER, 0, 1);
            Member higherId = member("0:zz", 1, FOLLOWER, 0, 1);
            List<Member> all = List.of(me, lowerId, higherId);
            assertThat(Ranking.lowestId().position(all, me)).isEqualTo(1);
            assertThat(Ranking.lowestId().position(List.of(me, preferred(higherId, 2)), me))
                    .isEqualTo(1);
            Ranking youngest =
                    Ranking.by(Comparator.comparingLong(Member::order).reversed());
            assertThat(youngest.position(all, lowerId)).isZero();
            assertThat(youngest.position(all, higherId)).isEqualTo(2);
            assertThat(Ranking.by(Comparator.comparing(Member::role)).position(all, lowerId))
                    .as("equals by key")
                    .isEqualTo(2);
        }
    }

    @Nested
    @DisplayName("K6, K7, K13, K15: claiming")
    class Claiming {
        @Test
        void a_claim_is_made_above_every_term_seen_after_settling_by_itself() {
            RankingStage stage = entered(other(LEADER, 4));
            stage.hear(Action.LEAVE, other(LEADER, 4));
            assertThat(stage.wakeInMillis()).isEqualTo(500);
            stage.pass(499).tick();
            assertThat(stage.effects).isEmpty();
            stage.pass(1).tick();
            assertThat(stage.effects).containsExactly(new Claim(2, 5));
        }

        @Test
        void the_second_in_rank_waits_five_times_and_nobody_longer_than_the_ninth() {
            RankingStage second = entered(other(FOLLOWER, 0));
            assertThat(second.wakeInMillis()).isEqualTo(500 * 5);
            Member[] many = new Member[12];
            for (int i = 0; i < many.length; i++) {
                many[i] = member("3:m" + i, i, FOLLOWER, 0, 1);
            }
            assertThat(entered(many).wakeInMillis()).isEqualTo(500 * 33);
        }

        @Test
        void where_claims_are_granted_it_settles_quickly_and_what_members_write_of_terms_is_talk() {
            RankingStage stage = entered(stamped(other(LEADER, 0), 4));
            stage.hear(Action.UPDATE, member("3:cat", 90, FOLLOWER, 999, 1));
            stage.hear(Action.LEAVE, stamped(other(LEADER, 0), 4));
            stage.hear(Action.LEAVE, member("3:cat", 90, FOLLOWER, 999, 1));
            assertThat(stage.wakeInMillis()).isEqualTo(50);
            stage.pass(50).tick();
            assertThat(stage.effects).containsExactly(new Claim(2, 5));
        }

        @Test
        void while_somebody_leads_nobody_claims_whatever_its_priority() {
            RankingStage stage = entered(SETTINGS.withPriority(9), other(LEADER, 4));
            assertThat(stage.wakeInMillis()).isEqualTo(-1);
            stage.pass(100_000).tick();
            assertThat(stage.effects).isEmpty();
            var hasty = new RankingSettings(
                    Ranking.oldest(),
                    9,
                    true,
                    SETTINGS.ttl(),
                    Duration.ZERO,
                    Duration.ZERO,
                    SETTINGS.cooldown(),
                    SETTINGS.backoff(),
                    SETTINGS.backoffMost(),
                    SETTINGS.answer());
            assertThat(entered(hasty, other(LEADER, 4)).effects).isEmpty();
            assertThat(entered(hasty).effects).containsExactly(new Claim(2, 1));
        }

        @Test
        void an_answered_ping_is_as_good_as_a_granted_claim() {
            RankingStage stage = entered().pass(500).tick();
            for (int i = 0; i < 3; i++) {
                stage.take(new RankingInput.Failed(stage.now(), 2 + i));
                stage.pass(stage.wakeInMillis()).tick();
            }
            stage.hear(Action.UPDATE, me(LEADER, 1, 5)).pass(1250).tick();
            stage.answered(stage.now());
            stage.take(new RankingInput.Fenced(stage.now(), 1));
            stage.take(new RankingInput.Failed(stage.now(), 6));
            assertThat(stage.wakeInMillis())
                    .as("the first wait, not the fourth")
                    .isEqualTo(250);
        }

        @Test
        void a_term_that_only_the_transport_remembers_is_counted_too() {
            RankingStage stage = entered();
            stage.take(new RankingInput.TermSeen(stage.now(), 8));
            assertThat(stage.effects).isEmpty();
            assertThat(stage.state.seenTerm()).isEqualTo(8);
            stage.pass(500).tick();
            assertThat(stage.effects).containsExactly(new Claim(2, 9));
        }

        @Test
        void a_refused_claim_waits_and_waits_longer_each_time_until_another_leads() {
            RankingStage stage = entered().pass(500).tick();
            long wait = 250;
            for (int i = 0; i < 7; i++) {
                stage.take(new RankingInput.Refused(stage.now(), 2 + i, OptionalLong.of(8)));
                assertThat(stage.wakeInMillis()).as("refusal %s", i + 1).isEqualTo(Math.min(5000, wait));
                stage.pass(stage.wakeInMillis()).tick();
                assertThat(stage.effects).containsExactly(new Claim(3 + i, 9));
                wait *= 2;
            }
            stage.hear(Action.ENTER, stamped(other(LEADER, 0), 9));
            stage.hear(Action.LEAVE, stamped(other(LEADER, 0), 9));
            stage.take(new RankingInput.Refused(stage.now(), 9, OptionalLong.of(8)));
            assertThat(stage.wakeInMillis()).isEqualTo(250);
        }

        @Test
        void a_failed_write_is_written_again_after_a_wait() {
            var stage = new RankingStage(SETTINGS);
            stage.take(new RankingInput.Connected(stage.now(), ME));
            stage.take(new RankingInput.SyncComplete(stage.now(), List.of()));
            stage.take(new RankingInput.Failed(stage.now(), 1));
            assertThat(stage.effects).isEmpty();
            stage.pass(250).tick();
            assertThat(stage.effects).containsExactly(new Follow(2, 0, true));
        }

        @Test
        void a_term_that_does_not_rise_is_no_leadership() {
            RankingStage stage = granted();
            stage.take(new RankingInput.Fenced(stage.now(), 7));
            stage.hear(Action.UPDATE, me(FOLLOWER, 7, 3)).pass(50).tick();
            assertThat(stage.effects).containsExactly(new Claim(4, 8));
            stage.hear(Action.UPDATE, stamped(me(LEADER, 8, 4), 7));
            assertThat(stage.effects(StartWork.class)).isEmpty();
            assertThat(stage.effects).containsExactly(new Follow(5, 7, true));
        }
    }

    @Nested
    @DisplayName("K8 to K11: leading and its end")
    class Leading {
        @Test
        void it_leads_by_the_echo_of_its_own_claim_never_by_an_acknowledgement() {
            RankingStage stage = entered().pass(500).tick();
            stage.take(new RankingInput.Acked(stage.now(), 2));
            assertThat(stage.leads()).isFalse();
            stage.hear(Action.UPDATE, me(LEADER, 1, 1));
            assertThat(stage.leads()).as("an older claim's echo").isFalse();
            stage.hear(Action.UPDATE, me(LEADER, 1, 2));
            assertThat(stage.effects)
                    .containsExactly(new StartWork(1), new Leader(Optional.of(new LeaderView(ME, "ann", 1))));
            assertThat(stage.leads()).isTrue();
            assertThat(stage.state.leading()).hasValue(1);
        }

        @Test
        void a_claim_that_does_not_win_is_undone() {
            RankingStage stage = entered().pass(500).tick();
            stage.hear(Action.ENTER, other(LEADER, 1));
            stage.hear(Action.UPDATE, me(LEADER, 1, 2));
            assertThat(stage.effects).containsExactly(new Follow(3, 1, true));
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void it_leads_for_four_fifths_of_ttl_from_the_sending_of_its_claim() {
            RankingStage stage = leading();
            assertThat(stage.state.remainingAt(stage.now())).hasMillis(4000);
            stage.pass(3999);
            assertThat(stage.leads()).isTrue();
            stage.pass(1);
            assertThat(stage.leads()).as("before any input").isFalse();
            stage.hear(Action.ENTER, other(FOLLOWER, 0));
            assertThat(stage.effects).startsWith(new StopWork(1, LossCause.EXPIRED), NOBODY, new Follow(3, 1, true));
        }

        @Test
        void a_term_that_ended_is_not_revived_by_an_answer_that_comes_too_late() {
            RankingStage stage = leading().pass(1250).tick();
            Moment sent = stage.now();
            stage.pass(2750).answered(sent);
            assertThat(stage.effects(StopWork.class)).containsExactly(new StopWork(1, LossCause.EXPIRED));
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void the_wall_clock_ends_it_too() {
            RankingStage stage = leading().suspend(4000);
            assertThat(stage.leads()).isFalse();
            stage.answered(stage.now());
            assertThat(stage.effects(StopWork.class)).containsExactly(new StopWork(1, LossCause.SUSPENDED));
        }

        @Test
        void an_answered_ping_moves_the_deadline_to_its_sending_while_the_channel_is_in_sight() {
            RankingStage stage = leading().pass(1250).tick();
            assertThat(stage.effects).containsExactly(new Ping());
            Moment sent = stage.now();
            stage.pass(1000).answered(sent);
            assertThat(stage.state.remainingAt(stage.now())).hasMillis(3000);
            stage.take(new RankingInput.SyncStarted(stage.now())).answered(stage.now());
            assertThat(stage.state.remainingAt(stage.now())).hasMillis(3000);
            stage.take(new RankingInput.SyncComplete(stage.now(), List.of(me(LEADER, 1, 2))));
            stage.take(new RankingInput.Disconnected(stage.now())).answered(stage.now());
            assertThat(stage.state.remainingAt(stage.now())).hasMillis(3000);
            stage.take(new RankingInput.Connected(stage.now(), ME)).answered(stage.now());
            assertThat(stage.state.remainingAt(stage.now())).hasMillis(4000);
            stage.answered(sent);
            assertThat(stage.state.remainingAt(stage.now()))
                    .as("an older answer")
                    .hasMillis(4000);
        }

        @Test
        void when_another_wins_it_stops_before_it_writes() {
            RankingStage stage = leading().hear(Action.ENTER, other(LEADER, 2));
            assertThat(stage.effects)
                    .containsExactly(
                            new StopWork(1, LossCause.SUPERSEDED),
                            NOBODY,
                            new Leader(Optional.of(new LeaderView("2:ben", "ben", 2))),
                            new Follow(3, 2, true));
        }

        @Test
        void when_its_claim_is_gone_replaced_or_in_another_term_it_stops() {
            assertThat(leading().hear(Action.LEAVE, me(LEADER, 1, 2)).effects)
                    .startsWith(new StopWork(1, LossCause.SUPERSEDED), NOBODY);
            assertThat(leading().hear(Action.UPDATE, me(FOLLOWER, 1, 2)).effects)
                    .startsWith(new StopWork(1, LossCause.SUPERSEDED), NOBODY);
            assertThat(leading().hear(Action.UPDATE, stamped(me(LEADER, 1, 2), 4)).effects)
                    .startsWith(new StopWork(1, LossCause.SUPERSEDED), NOBODY);
        }

        @Test
        void a_claim_of_long_ago_that_was_entered_again_is_overwritten_and_names_nobody() {
            RankingStage stage = entered();
            stage.hear(Action.UPDATE, me(LEADER, 1, 1));
            assertThat(stage.effects).containsExactly(new Follow(2, 1, true));
            assertThat(stage.state.leader()).isEmpty();
        }
    }

    @Nested
    @DisplayName("K12, K14, K16, K17: what ends a leadership from outside")
    class Endings {
        @Test
        void a_new_connection_or_a_lost_channel_ends_it_and_a_resumed_one_does_not() {
            RankingStage resumed = leading();
            resumed.take(new RankingInput.Disconnected(resumed.now()));
            resumed.take(new RankingInput.Connected(resumed.now(), ME));
            assertThat(resumed.leads()).isTrue();
            RankingStage renewed = leading();
            renewed.take(new RankingInput.Connected(renewed.now(), "9:ann"));
            assertThat(renewed.effects).containsExactly(new StopWork(1, LossCause.SUPERSEDED), NOBODY);
            RankingStage lost = leading();
            lost.take(new RankingInput.Detached(lost.now()));
            assertThat(lost.effects).containsExactly(new StopWork(1, LossCause.SUPERSEDED), NOBODY);
            assertThat(lost.state.members()).isEmpty();
        }

        @Test
        void who_resigns_stops_says_so_and_stands_again_after_the_cooldown() {
            RankingStage stage = leading();
            stage.take(new RankingInput.Resign(stage.now()));
            assertThat(stage.effects)
                    .containsExactly(new StopWork(1, LossCause.RESIGNED), NOBODY, new Follow(3, 1, false));
            stage.hear(Action.UPDATE, ineligible(me(FOLLOWER, 1, 3)));
            assertThat(stage.wakeInMillis()).isEqualTo(5000);
            stage.pass(5000).tick();
            assertThat(stage.effects).containsExactly(new Follow(4, 1, true));
        }

        @Test
        void a_leader_that_pauses_stops_and_stays_ineligible_until_it_resumes() {
            RankingStage stage = leading();
            stage.take(new RankingInput.StandBack(stage.now(), LossCause.PAUSED));
            assertThat(stage.effects)
                    .containsExactly(new StopWork(1, LossCause.PAUSED), NOBODY, new Follow(3, 1, false));
            stage.hear(Action.UPDATE, ineligible(me(FOLLOWER, 1, 3)));
            assertThat(stage.wakeAtNanos).isEqualTo(Long.MAX_VALUE);
            stage.take(new RankingInput.Stand(stage.now()));
            assertThat(stage.effects).containsExactly(new Follow(4, 1, true));
        }

        @Test
        void who_never_stands_writes_so_and_does_not_claim() {
            var observer = new RankingSettings(
                    Ranking.oldest(),
                    0,
                    false,
                    SETTINGS.ttl(),
                    SETTINGS.settle(),
                    SETTINGS.exclusiveSettle(),
                    SETTINGS.cooldown(),
                    SETTINGS.backoff(),
                    SETTINGS.backoffMost(),
                    SETTINGS.answer());
            var stage = new RankingStage(observer);
            stage.take(new RankingInput.Connected(stage.now(), ME));
            stage.take(new RankingInput.SyncComplete(stage.now(), List.of()));
            assertThat(stage.effects).containsExactly(new Follow(1, 0, false));
            stage.hear(Action.ENTER, ineligible(me(FOLLOWER, 0, 1)));
            assertThat(stage.wakeInMillis()).isEqualTo(-1);
        }

        @Test
        void before_it_freezes_or_closes_it_stops_then_leaves() {
            RankingStage stage = leading();
            stage.take(new RankingInput.Freeze(stage.now()));
            assertThat(stage.effects).containsExactly(new StopWork(1, LossCause.SUSPENDED), NOBODY, new Leave());
            stage.hear(Action.LEAVE, me(LEADER, 1, 2)).pass(60_000).tick();
            assertThat(stage.effects).isEmpty();
            stage.take(new RankingInput.Thaw(stage.now()));
            assertThat(stage.effects).containsExactly(new Follow(3, 1, true));
            stage.take(new RankingInput.Close(stage.now(), LossCause.CLOSED));
            assertThat(stage.effects).containsExactly(new Leave());
            stage.take(new RankingInput.Thaw(stage.now()));
            stage.take(new RankingInput.Close(stage.now(), LossCause.CLOSED));
            assertThat(stage.effects).isEmpty();
        }

        @Test
        void a_refused_fence_ends_the_leadership_of_its_term_and_no_other() {
            RankingStage stage = granted();
            stage.take(new RankingInput.Fenced(stage.now(), 6));
            assertThat(stage.leads()).isTrue();
            stage.take(new RankingInput.Fenced(stage.now(), 7));
            assertThat(stage.effects).startsWith(new StopWork(7, LossCause.SUPERSEDED), NOBODY);
        }
    }

    @Nested
    @DisplayName("K19: heirs")
    class OfHeirs {
        private final Member leader = stamped(other(LEADER, 0), 4);

        @Test
        void the_heir_claims_at_the_word_of_who_led_or_after_a_ttl() {
            RankingStage stage = entered(leader);
            stage.hear(Action.UPDATE, ended(leader, "ann"));
            assertThat(stage.wakeInMillis()).isEqualTo(5000);
            stage.pass(100).hear(Action.UPDATE, member("2:ben", 95, FOLLOWER, 4, 2));
            assertThat(stage.effects).containsExactly(new Claim(2, 5));
        }

        @Test
        void an_heir_in_its_cooldown_stands_again_and_claims() {
            RankingStage stage = granted();
            stage.take(new RankingInput.Resign(stage.now(), Optional.of(Duration.ofMinutes(10))));
            stage.hear(Action.UPDATE, ineligible(me(FOLLOWER, 7, 3)));
            Member ben = stamped(other(LEADER, 0), 8);
            stage.hear(Action.ENTER, ben);
            stage.hear(Action.UPDATE, ended(ben, "ann"));
            assertThat(stage.effects).contains(new Follow(4, 8, true));
            stage.hear(Action.UPDATE, me(FOLLOWER, 8, 4));
            stage.pass(100).hear(Action.UPDATE, member("2:ben", 95, FOLLOWER, 8, 2));
            assertThat(stage.effects).containsExactly(new Claim(5, 9));
        }

        @Test
        void all_others_stand_back_and_longer_without_a_word() {
            RankingStage stage = entered(leader, member("3:cat", 200, FOLLOWER, 0, 1));
            stage.hear(Action.UPDATE, ended(leader, "cat"));
            assertThat(stage.wakeInMillis()).isEqualTo(7500 + 5 * 50);
            stage.pass(100).hear(Action.LEAVE, ended(leader, "cat"));
            assertThat(stage.wakeInMillis()).isEqualTo(2500 + 50);
        }

        @Test
        void strangers_give_no_word_a_sync_names_no_heir_and_nobody_does_where_claims_are_not_granted() {
            RankingStage ofStranger = entered(stranger(leader));
            ofStranger.hear(Action.UPDATE, ended(stranger(leader), "ann"));
            assertThat(ofStranger.effects).startsWith(NOBODY, new Claim(2, 5));
            RankingStage ofSync = entered(leader);
            ofSync.hear(Action.PRESENT, ended(leader, "cat"));
            assertThat(ofSync.wakeInMillis()).isEqualTo(5 * 50);
            RankingStage noClaims = entered(other(LEADER, 4));
            noClaims.hear(Action.UPDATE, ended(other(LEADER, 4), "cat"));
            assertThat(noClaims.wakeInMillis()).isEqualTo(5 * 500);
        }

        @Test
        void who_finds_its_own_data_so_stops_and_gives_its_word() {
            RankingStage stage = granted();
            stage.hear(Action.UPDATE, ended(me(LEADER, 1, 2), "ben"));
            assertThat(stage.effects)
                    .containsExactly(new StopWork(7, LossCause.SUPERSEDED), NOBODY, new Follow(3, 7, true));
        }
    }

    @Test
    void moments_are_compared_by_subtraction_and_numbers_have_bounds() {
        assertThat(RankingTurn.later(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> new RankingMachine(SETTINGS).begin(new Moment(0, 0), -1))
                .hasMessage("lastSeq is -1; its bounds are 0 and 2^52");
    }
}
