package dev.doyen.ring;

import static dev.doyen.ring.RingStage.GREATER;
import static dev.doyen.ring.RingStage.HOLD_MILLIS;
import static dev.doyen.ring.RingStage.LESSER;
import static dev.doyen.ring.RingStage.ME;
import static dev.doyen.ring.RingStage.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect.Keep;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.LeaderChanged;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.StepDown;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingMessage.Beat;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Nack;
import dev.doyen.ring.RingMessage.Yield;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of quorum mode, a step at a time. Voters are GREATER (1), ME (2) and LESSER (4), so that two are enough. */
class RingQuorumTest {

    private static final int MY_BIT = 2;
    private static final Term MINE = new Term(1, ME);
    private static final Term THEIRS = new Term(5, GREATER);

    /** Hears THEIRS asked for, and has kept its promise. */
    private static RingStage voted() {
        RingStage stage = RingStage.votingSeated();
        stage.hear(stage.elected(THEIRS));
        return stage.kept(true);
    }

    @Nested
    @DisplayName("Q1: who votes")
    class Voters {
        @Test
        void a_set_of_voters_that_cannot_be_meant_is_refused_with_a_sentence() {
            assertRefused("0 voters are named; name 1 to 15, best 3 or 5");
            assertRefused("2 voters are named; name an odd number: 2 can lose no more of them than 1 can", "a", "b");
            assertRefused("voter \"a\" is named twice", "a", "b", "a");
            assertRefused("voter", "");
            assertRefused(
                    "17 voters are named; name 1 to 15",
                    IntStream.range(0, 17).mapToObj(i -> "v" + i).toArray(String[]::new));
        }

        private static void assertRefused(String sentence, String... ids) {
            assertThatThrownBy(() -> Electorate.of(List.of(ids)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(sentence);
        }

        @Test
        void more_than_half_are_enough_and_their_order_does_not_matter() {
            assertThat(Electorate.of(List.of("a")).quorum()).isEqualTo(1);
            assertThat(Electorate.of(List.of("c", "b", "a")).quorum()).isEqualTo(2);
            assertThat(Electorate.of(List.of("a", "b", "c", "d", "e")).quorum()).isEqualTo(3);
            assertThat(Electorate.of(List.of("c", "b", "a"))).isEqualTo(Electorate.of(List.of("a", "c", "b")));
            assertThat(Electorate.of(List.of("c", "b", "a")).fingerprint())
                    .isNotEqualTo(Electorate.of(List.of("a", "b", "d")).fingerprint());
        }

        @Test
        void a_voter_that_is_there_twice_votes_not_at_all() {
            RingStage stage = RingStage.voting(Term.NONE).pass(HOLD_MILLIS);
            View twins = view(1, ME, new Member(ME.id(), "2"), GREATER, LESSER);
            stage.install(twins);
            stage.hear(stage.elected(THEIRS));
            assertThat(stage.of(Keep.class)).isEmpty();
            assertThat(stage.sent(Elected.class).grants()).isZero();
        }

        @Test
        void who_is_no_voter_passes_on_and_grants_nothing() {
            var stage = new RingStage(RingSettings.DEFAULT.withElectorate(Electorate.of(List.of("a", "b", "z"))));
            stage.state = stage.machine.begin(ME, Term.NONE, stage.now());
            stage.pass(5_000).install(stage.view).hear(stage.elected(THEIRS));
            assertThat(stage.sent(Elected.class).grants()).isZero();
        }
    }

    @Nested
    @DisplayName("Q2: where too few voters are")
    class TooFew {
        private final View few = view(2, ME, new Member("x", "1"));

        @Test
        void nobody_stands_and_nothing_is_sent() {
            RingStage stage = RingStage.votingSeated().install(few);
            assertThat(stage.effects).isEmpty();
            assertThat(stage.pass(1_000).wake().sent()).isEmpty();
            assertThat(stage.state.stands(stage.now())).isTrue();
        }

        @Test
        void a_leader_stops_at_once() {
            RingStage stage = RingStage.granted().install(few);
            assertThat(stage.effects)
                    .startsWith(new StepDown(MINE, LossCause.NO_QUORUM), new LeaderChanged(Optional.empty()));
            assertThat(stage.leads()).isFalse();
        }

        @Test
        void one_voter_alone_leads_if_it_is_the_only_one() {
            var stage = new RingStage(new RingSettings(RingAlgorithm.CHANG_ROBERTS, RingStage.TIMING, 100, true)
                    .withElectorate(Electorate.of(List.of(ME.id()))));
            stage.state = stage.machine.begin(ME, Term.NONE, stage.now());
            stage.pass(HOLD_MILLIS).install(view(1, ME));
            assertThat(stage.leads()).as("before its promise is kept").isFalse();
            stage.kept(true);
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(MINE));
            assertThat(stage.leads()).isTrue();
        }
    }

    @Nested
    @DisplayName("Q3, Q4: promises")
    class Promises {
        @Test
        void a_lap_waits_until_the_promise_is_kept_and_goes_on_with_the_grant() {
            RingStage stage = RingStage.votingSeated();
            Elected lap = stage.elected(THEIRS);
            stage.hear(lap);
            assertThat(stage.of(Keep.class)).containsExactly(new Keep(THEIRS));
            assertThat(stage.sent()).isEmpty();
            stage.kept(true);
            assertThat(stage.sent()).containsExactly(lap.grantedBy(MY_BIT));
        }

        @Test
        void a_promise_that_could_not_be_kept_is_no_grant_and_is_tried_again() {
            RingStage stage = RingStage.votingSeated();
            stage.hear(stage.elected(THEIRS)).kept(false);
            assertThat(stage.sent(Elected.class).grants()).isZero();
            stage.hear(new Elected(stage.view.id(), 0, THEIRS, 2));
            assertThat(stage.kept(true).sent(Elected.class).grants()).isEqualTo(MY_BIT);
        }

        @Test
        void a_disk_that_does_not_answer_keeps_no_lap_that_comes_again() {
            RingStage stage = RingStage.votingSeated();
            stage.hear(stage.elected(THEIRS));
            stage.hear(new Elected(stage.view.id(), 0, THEIRS, 2));
            assertThat(stage.sent(Elected.class).grants()).isZero();
            assertThat(stage.of(Keep.class)).as("one write at a time").isEmpty();
            stage.take(new RingInput.Kept(stage.now(), THEIRS, true));
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_lap_of_a_round_that_has_passed_is_not_passed_on_when_the_disk_answers() {
            RingStage stage = RingStage.votingSeated();
            stage.hear(stage.elected(THEIRS));
            stage.pass(1_000).wake();
            stage.take(new RingInput.Kept(stage.now(), THEIRS, true));
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_number_belongs_to_one_member() {
            RingStage stage = voted();
            var another = new Term(THEIRS.counter(), LESSER);
            assertThat(another).as("by itself a later term").isGreaterThan(THEIRS);
            stage.pass(2 * HOLD_MILLIS).hear(new Elected(stage.view.id(), 0, another, 1));
            assertThat(stage.of(Send.class)).containsExactly(new Send(LESSER, new Nack(stage.view.id(), THEIRS)));
            assertThat(stage.of(Keep.class)).isEmpty();
        }

        @Test
        void a_voter_grants_a_number_to_one_member_even_if_a_nack_names_the_other() {
            RingStage stage = voted();
            var another = new Term(THEIRS.counter(), LESSER);
            stage.hear(LESSER, new Nack(stage.view.id(), another));
            assertThat(stage.state.seen()).isEqualTo(another);
            stage.pass(2 * HOLD_MILLIS).hear(new Elected(stage.view.id(), 0, another, 1));
            assertThat(stage.of(Keep.class)).isEmpty();
            assertThat(stage.sent(Elected.class).grants()).isZero();
        }

        @Test
        void what_was_kept_is_known_after_a_restart() {
            RingStage stage = RingStage.voting(THEIRS).pass(HOLD_MILLIS);
            stage.install(stage.view).hear(stage.elected(new Term(5, LESSER)));
            assertThat(stage.sent(Nack.class).term()).isEqualTo(THEIRS);
        }
    }

    @Nested
    @DisplayName("Q5: how long a vote is held")
    class Held {
        @Test
        void who_has_just_begun_grants_nothing() {
            RingStage stage = RingStage.voting(Term.NONE).pass(HOLD_MILLIS - 1);
            stage.install(stage.view).hear(stage.elected(THEIRS));
            assertThat(stage.sent(Elected.class).grants()).isZero();
            stage.pass(1).hear(new Elected(stage.view.id(), 0, THEIRS, 2));
            assertThat(stage.of(Keep.class)).containsExactly(new Keep(THEIRS));
        }

        @Test
        void who_has_just_begun_grants_again_what_it_has_kept() {
            RingStage stage = RingStage.voting(THEIRS);
            stage.install(stage.view).hear(stage.elected(THEIRS));
            assertThat(stage.sent(Elected.class).grants()).isEqualTo(MY_BIT);
        }

        @Test
        void who_has_granted_grants_nothing_to_another_until_that_is_over_on_the_slowest_clock() {
            RingStage stage = voted();
            stage.pass(400).hear(stage.beat(THEIRS, 2));
            assertThat(stage.sent(Beat.class).grants()).isEqualTo(MY_BIT);
            var later = new Term(6, LESSER);
            stage.pass(HOLD_MILLIS - 1).hear(new Elected(stage.view.id(), 0, later, 1));
            assertThat(stage.sent(Elected.class).grants()).isZero();
            stage.pass(1).hear(new Elected(stage.view.id(), 0, later, 2));
            assertThat(stage.of(Keep.class)).containsExactly(new Keep(later));
        }

        @Test
        void the_same_member_need_not_wait_for_itself() {
            RingStage stage = voted();
            var later = new Term(6, GREATER);
            stage.hear(new Elected(stage.view.id(), 0, later, 1));
            assertThat(stage.of(Keep.class)).containsExactly(new Keep(later));
        }

        @Test
        void the_hold_is_a_tenth_longer_than_lead() {
            assertThat(RingStage.TIMING.hold())
                    .isEqualTo(Duration.ofMillis(880).plusNanos(1))
                    .isGreaterThan(RingStage.TIMING.lead().multipliedBy(11).dividedBy(10));
        }
    }

    @Nested
    @DisplayName("Q6 to Q8: asking, leading, and stopping in time")
    class Leading {
        @Test
        void who_won_asks_with_its_own_grant_and_leads_when_enough_have_granted() {
            RingStage stage = RingStage.asking();
            Elected asked = stage.sent(Elected.class);
            assertThat(asked.term()).isEqualTo(MINE);
            assertThat(asked.grants()).isEqualTo(MY_BIT);
            assertThat(stage.state.asking()).contains(MINE);
            assertThat(stage.hear(asked).effects).isEmpty();
            assertThat(stage.leads()).isFalse();
            stage.pass(100).wake();
            Elected again = stage.sent(Elected.class);
            assertThat(again.sequence()).isEqualTo(2);
            stage.hear(again.grantedBy(4));
            assertThat(stage.effects).startsWith(new Lead(MINE)).endsWith(new LeaderChanged(Optional.of(MINE)));
            assertThat(stage.sent(Beat.class).grants()).isEqualTo(MY_BIT);
        }

        @Test
        void it_leads_from_before_the_sending() {
            RingStage stage = RingStage.asking();
            Elected asked = stage.sent(Elected.class);
            stage.pass(300).hear(asked.grantedBy(1));
            assertThat(stage.state.remainingAt(stage.now())).isEqualTo(Duration.ofMillis(500));
            Beat beat = stage.sent(Beat.class);
            stage.pass(100).hear(beat.grantedBy(4));
            assertThat(stage.state.remainingAt(stage.now())).isEqualTo(Duration.ofMillis(700));
        }

        @Test
        void a_lap_that_was_too_long_on_its_way_elects_nobody() {
            RingStage stage = RingStage.asking();
            Elected asked = stage.sent(Elected.class);
            stage.pass(800).hear(asked.grantedBy(1));
            assertThat(stage.of(Lead.class)).isEmpty();
        }

        @Test
        void whose_laps_come_home_with_too_few_grants_stops_for_want_of_a_quorum() {
            RingStage stage = RingStage.granted();
            stage.hear(stage.sent(Beat.class));
            stage.pass(800).wake();
            assertThat(stage.effects).startsWith(new StepDown(MINE, LossCause.NO_QUORUM));
        }

        @Test
        void whose_laps_do_not_come_home_stops_when_its_time_is_up() {
            assertThat(RingStage.granted().pass(800).wake().effects).startsWith(new StepDown(MINE, LossCause.EXPIRED));
        }

        @Test
        void who_asks_is_not_named_yet_and_who_leads_is() {
            RingStage stage = voted();
            assertThat(stage.state.leader()).isEmpty();
            stage.hear(stage.beat(THEIRS, 2));
            assertThat(stage.effects).contains(new LeaderChanged(Optional.of(THEIRS)));
        }

        @Test
        void who_hears_a_later_term_asks_no_more() {
            RingStage stage = RingStage.asking();
            stage.hear(GREATER, new Nack(stage.view.id(), THEIRS));
            assertThat(stage.state.asking()).isEmpty();
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
        }

        @Test
        void asking_in_vain_is_given_up_after_twice_follow() {
            RingStage stage = RingStage.asking();
            stage.pass(1_999).wake();
            assertThat(stage.state.round()).isZero();
            stage.pass(1).wake();
            assertThat(stage.state.round()).isEqualTo(1);
        }

        @Test
        void a_leader_that_wins_a_new_view_keeps_its_term_and_its_deadline_and_says_at_once_that_it_leads() {
            RingStage stage = RingStage.granted();
            View next = view(2, ME, GREATER);
            stage.pass(100).install(next);
            stage.pass(100).hear(stage.sent(Elect.class));
            assertThat(stage.sent(Beat.class).term()).isEqualTo(MINE);
            assertThat(stage.state.remainingAt(stage.now())).isEqualTo(Duration.ofMillis(600));
        }
    }

    @Nested
    @DisplayName("Q9: a vote is free again")
    class Free {
        @Test
        void who_stops_tells_the_voters() {
            RingStage stage = RingStage.granted().resign(1_000);
            assertThat(stage.effects).startsWith(new StepDown(MINE, LossCause.RESIGNED));
            assertThat(stage.of(Send.class))
                    .contains(
                            new Send(GREATER, new Yield(stage.view.id(), 0, MINE, false)),
                            new Send(LESSER, new Yield(stage.view.id(), 0, MINE, false)));
        }

        @Test
        void who_is_told_votes_for_another_at_once_but_not_for_what_is_over() {
            RingStage stage = voted();
            stage.hear(GREATER, new Yield(stage.view.id(), 0, THEIRS, false));
            stage.hear(stage.beat(THEIRS, 2));
            assertThat(stage.sent(Beat.class).grants()).isZero();
            var later = new Term(6, LESSER);
            stage.hear(new Elected(stage.view.id(), 0, later, 1));
            assertThat(stage.of(Keep.class)).containsExactly(new Keep(later));
        }

        @Test
        void only_the_leader_of_the_term_itself_frees_it() {
            RingStage stage = voted();
            stage.hear(LESSER, new Yield(stage.view.id(), 0, THEIRS, false));
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
            stage.hear(GREATER, new Yield(stage.view.id(), 0, new Term(4, GREATER), false));
            stage.hear(new Elected(stage.view.id(), 0, new Term(6, LESSER), 1));
            assertThat(stage.sent(Elected.class).grants()).isZero();
        }

        @Test
        void what_it_granted_before_it_began_is_not_over_by_that() {
            RingStage stage = RingStage.voting(THEIRS).install(view(1, ME, GREATER, LESSER));
            stage.hear(GREATER, new Yield(stage.view.id(), 0, THEIRS, false));
            stage.hear(new Elected(stage.view.id(), 0, new Term(6, LESSER), 1));
            assertThat(stage.sent(Elected.class).grants()).isZero();
        }
    }
}
