package dev.doyen.ring;

import static dev.doyen.ring.RingStage.GREATER;
import static dev.doyen.ring.RingStage.LESSER;
import static dev.doyen.ring.RingStage.ME;
import static dev.doyen.ring.RingStage.passed;
import static dev.doyen.ring.RingStage.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.HandOverFailed;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.LeaderChanged;
import dev.doyen.ring.RingEffect.Obstacle;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.StepDown;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Heartbeat;
import dev.doyen.ring.RingMessage.Yield;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests the rules H1 to H3: a leader hands over to a named member. */
class RingHandOverTest {

    private static final Term MINE = new Term(1, ME);
    private static final Term THEIRS = new Term(5, GREATER);

    @Nested
    @DisplayName("H1, H3: the leader that hands over")
    class Giving {
        @Test
        void a_leader_stops_and_then_notifies_only_its_successor() {
            RingStage stage = RingStage.leading().handOver(LESSER, 60_000);
            assertThat(stage.effects)
                    .containsExactly(
                            new StepDown(MINE, LossCause.TRANSFERRED),
                            new LeaderChanged(Optional.empty()),
                            new Send(LESSER, new Yield(stage.view.id(), 0, MINE)));
            assertThat(stage.leads()).isFalse();
            assertThat(stage.state.campaigns(stage.now())).isFalse();
        }

        @Test
        void a_leader_continues_if_its_successor_is_not_in_the_view() {
            RingStage stage = RingStage.leading().handOver(new Member("nobody", "1"), 60_000);
            assertThat(stage.effects).containsExactly(new HandOverFailed("nobody", Obstacle.NOT_THERE));
            assertThat(stage.leads()).isTrue();
            assertThat(stage.state.campaigns(stage.now())).isTrue();
        }

        @Test
        void a_transfer_to_the_leader_itself_is_ignored() {
            RingStage stage = RingStage.leading().handOver(ME, 60_000);
            assertThat(stage.effects).containsExactly(new HandOverFailed(ME.id(), Obstacle.NOT_THERE));
            assertThat(stage.leads()).isTrue();
        }

        @Test
        void a_silent_successor_is_reported_and_the_members_elect() {
            awaitsSuccessor(RingStage.leading());
        }

        @Test
        void a_leader_that_has_led_for_longer_than_the_election_timeout_waits_for_its_successor_too() {
            RingStage stage = RingStage.leading();
            stage.receive(stage.sent(Elected.class));
            for (int heartbeat = 0; heartbeat < 6; heartbeat++) {
                stage.pass(200).wake();
                stage.receive(stage.sent(Heartbeat.class));
            }
            awaitsSuccessor(stage);
        }

        private void awaitsSuccessor(RingStage stage) {
            stage.handOver(LESSER, 60_000);
            assertThat(stage.wakeInMillis()).isEqualTo(200);
            assertThat(stage.pass(199).wake().effects).isEmpty();
            stage.pass(1).wake();
            assertThat(stage.of(HandOverFailed.class))
                    .containsExactly(new HandOverFailed(LESSER.id(), Obstacle.NO_ANSWER));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(1);
        }

        @Test
        void a_leader_other_than_the_successor_is_reported() {
            RingStage stage = RingStage.leading().handOver(LESSER, 60_000);
            stage.receive(stage.elected(THEIRS));
            assertThat(stage.of(HandOverFailed.class))
                    .containsExactly(new HandOverFailed(LESSER.id(), Obstacle.ANOTHER_ELECTED));
        }

        @Test
        void a_successor_that_leads_is_not_reported() {
            RingStage stage = RingStage.leading().handOver(GREATER, 60_000);
            stage.receive(stage.elected(THEIRS));
            assertThat(stage.of(HandOverFailed.class)).isEmpty();
            stage.pass(300).wake();
            assertThat(stage.of(HandOverFailed.class)).isEmpty();
        }

        @Test
        void a_follower_hands_over_nothing() {
            RingStage stage = RingStage.asLeader().handOver(LESSER, 60_000);
            assertThat(stage.effects).isEmpty();
            assertThat(stage.state.campaigns(stage.now())).isTrue();
        }
    }

    @Nested
    @DisplayName("H2: the successor")
    class Taking {
        private final RingStage stage = RingStage.asLeader();

        private RingStage named() {
            stage.receive(stage.elected(THEIRS));
            return stage.receive(GREATER, new Yield(stage.view.id(), 0, THEIRS));
        }

        @Test
        void a_successor_opens_the_next_round_like_a_leader() {
            named();
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.round()).isEqualTo(1);
            assertThat(elect.key()).isGreaterThan(stage.key(GREATER));
            stage.receive(elect);
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(6, ME)));
        }

        @Test
        void a_successor_opens_another_round_if_one_is_open() {
            stage.receive(stage.elected(THEIRS));
            stage.receive(new Elect(stage.view.id(), 3, stage.key(LESSER), 1, passed(THEIRS)));
            stage.receive(GREATER, new Yield(stage.view.id(), 0, THEIRS));
            assertThat(stage.sent(Elect.class).round()).isEqualTo(4);
        }

        @Test
        void a_successor_that_does_not_campaign_opens_an_ordinary_round() {
            stage.receive(stage.elected(THEIRS)).withdraw(LossCause.PAUSED);
            stage.receive(GREATER, new Yield(stage.view.id(), 0, THEIRS));
            assertThat(stage.sent(Elect.class).key().campaigns()).isFalse();
            assertThat(stage.sent(Elect.class).key().incumbent()).isEqualTo(Term.NONE);
        }

        @Test
        void a_transfer_ends_the_cooldown_of_the_successor() {
            stage.resign(60_000);
            assertThat(named().sent(Elect.class).key().incumbent()).isEqualTo(THEIRS);
            assertThat(stage.state.campaigns(stage.now())).isTrue();
        }

        @Test
        void a_successor_accepts_only_the_leader_of_the_last_term() {
            stage.receive(stage.elected(THEIRS));
            stage.receive(LESSER, new Yield(stage.view.id(), 0, THEIRS));
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
            stage.receive(GREATER, new Yield(stage.view.id(), 0, new Term(4, GREATER)));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.receive(GREATER, new Yield(view(7, ME).id(), 0, THEIRS));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            var stranger = new Member("stranger", "1");
            stage.receive(stranger, new Yield(stage.view.id(), 0, new Term(9, stranger)));
            assertThat(stage.dropped()).containsExactly(Why.NOT_FROM_PREDECESSOR);
            assertThat(stage.sent()).isEmpty();
        }

        @Test
        void a_leader_is_not_a_successor() {
            RingStage leader = RingStage.leading();
            leader.receive(GREATER, new Yield(leader.view.id(), 0, THEIRS));
            assertThat(leader.dropped()).containsExactly(Why.PAST);
            assertThat(leader.leads()).isTrue();
        }
    }
}
