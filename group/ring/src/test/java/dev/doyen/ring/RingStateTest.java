package dev.doyen.ring;

import static dev.doyen.ring.RingStage.GREATER;
import static dev.doyen.ring.RingStage.LESSER;
import static dev.doyen.ring.RingStage.ME;
import static dev.doyen.ring.RingStage.saved;
import static dev.doyen.ring.RingStage.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.Saved;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingMessage.Chosen;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Heartbeat;
import dev.doyen.ring.RingMessage.StateRequest;
import dev.doyen.ring.RingMessage.StateResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests T1 to T5 of docs/spec/ring.md step by step: the state that a leader saves for the next leader. */
class RingStateTest {

    /** A term of another leader that has saved a state. */
    private static final Term THEIRS = new Term(3, GREATER);

    /** The term in which this member leads in {@link RingStage#leading()}. */
    private static final Term MINE = new Term(1, ME);

    /** Returns a machine that leads. All members have stored the state with which the term began. */
    private static RingStage leading() {
        RingStage stage = RingStage.leading();
        return stage.receive(stage.sent(Elected.class));
    }

    @Nested
    @DisplayName("T1: saving a state")
    class Saving {
        @Test
        void a_saved_state_is_sent_at_once() {
            RingStage stage = leading().save(1, 1, "a");
            assertThat(stage.sent(Heartbeat.class).saved()).contains(saved(MINE, 1, "a"));
            assertThat(stage.state.saved()).isEqualTo(saved(MINE, 1, "a"));
        }

        @Test
        void a_second_save_waits_until_the_first_has_returned() {
            RingStage stage = leading().save(1, 1, "a");
            Heartbeat first = stage.sent(Heartbeat.class);
            stage.save(1, 2, "b");
            assertThat(stage.sent()).isEmpty();
            stage.receive(first);
            assertThat(stage.of(Saved.class)).containsExactly(new Saved(1));
            assertThat(stage.sent(Heartbeat.class).saved()).contains(saved(MINE, 2, "b"));
        }

        @Test
        void a_second_save_is_sent_with_the_next_heartbeat_if_the_first_was_lost() {
            RingStage stage =
                    leading().save(1, 1, "a").save(1, 2, "b").pass(200).wake();
            assertThat(stage.sent(Heartbeat.class).saved()).contains(saved(MINE, 2, "b"));
        }

        @Test
        void a_member_that_does_not_lead_in_that_term_saves_nothing() {
            RingStage follower = RingStage.asLeader().save(1, 1, "a");
            assertThat(follower.state.saved()).isEqualTo(VersionedState.NONE);
            RingStage leader = leading().save(2, 1, "a");
            assertThat(leader.effects).isEmpty();
            assertThat(leader.state.saved()).isEqualTo(saved(MINE, 0, ""));
        }

        @Test
        void a_save_with_an_earlier_number_changes_nothing() {
            RingStage stage = leading().save(1, 2, "b").save(1, 2, "c").save(1, 1, "a");
            assertThat(stage.state.saved()).isEqualTo(saved(MINE, 2, "b"));
            Moment now = stage.now();
            assertThatThrownBy(() -> new RingInput.Save(now, 1, 0, SavedState.EMPTY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a save has the number 0; the numbers of saves start at 1");
        }

        @Test
        void no_heartbeat_is_sent_in_an_open_round() {
            RingStage stage = leading();
            stage.install(view(2, ME, GREATER, LESSER)).save(1, 1, "a");
            assertThat(stage.sent()).isEmpty();
            stage.take(new RingInput.Woken(stage.now())).pass(100).wake();
            stage.receive(stage.sent(Elect.class));
            assertThat(stage.sent(Elected.class).saved()).contains(saved(MINE, 1, "a"));
        }
    }

    @Nested
    @DisplayName("T2: storing the newest state")
    class RenewalMode {
        @Test
        void a_member_stores_and_forwards_the_state_of_a_heartbeat() {
            RingStage stage = RingStage.asLeader();
            Heartbeat heartbeat = stage.heartbeat(THEIRS, 1, 4, "a");
            stage.receive(heartbeat);
            assertThat(stage.state.saved()).isEqualTo(saved(THEIRS, 4, "a"));
            assertThat(stage.sent()).containsExactly(heartbeat);
            stage.receive(stage.heartbeat(THEIRS, 2));
            assertThat(stage.state.saved()).isEqualTo(saved(THEIRS, 4, "a"));
        }

        @Test
        void an_earlier_version_replaces_nothing_and_a_later_term_does() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.heartbeat(THEIRS, 1, 4, "a")).receive(stage.heartbeat(THEIRS, 2, 3, "b"));
            assertThat(stage.state.saved()).isEqualTo(saved(THEIRS, 4, "a"));
            Term later = new Term(4, LESSER);
            stage.receive(stage.heartbeat(later, 1, 0, "c"));
            assertThat(stage.state.saved()).isEqualTo(saved(later, 0, "c"));
        }

        @Test
        void the_state_of_a_heartbeat_of_a_past_term_is_ignored() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.heartbeat(THEIRS, 1));
            stage.receive(stage.heartbeat(new Term(2, LESSER), 1, 9, "old"));
            assertThat(stage.state.saved()).isEqualTo(VersionedState.NONE);
        }
    }

    @Nested
    @DisplayName("T3: confirming a state")
    class Confirming {
        @Test
        void a_save_is_confirmed_when_its_heartbeat_returns() {
            RingStage stage = leading().save(1, 1, "a");
            assertThat(stage.of(Saved.class)).isEmpty();
            stage.receive(stage.sent(Heartbeat.class));
            assertThat(stage.of(Saved.class)).containsExactly(new Saved(1));
        }

        @Test
        void a_confirmed_state_is_not_sent_again() {
            RingStage stage = leading();
            stage.save(1, 1, "a");
            stage.receive(stage.sent(Heartbeat.class)).pass(200).wake();
            assertThat(stage.sent(Heartbeat.class).saved()).isEmpty();
        }

        @Test
        void a_heartbeat_that_was_sent_before_the_save_confirms_nothing() {
            RingStage stage = leading().pass(200).wake();
            Heartbeat before = stage.sent(Heartbeat.class);
            stage.save(1, 1, "a").receive(before);
            assertThat(stage.of(Saved.class)).isEmpty();
            stage.pass(200).wake();
            assertThat(stage.sent(Heartbeat.class).saved()).contains(saved(MINE, 1, "a"));
        }

        @Test
        void a_member_alone_confirms_at_once() {
            var stage = new RingStage();
            stage.install(view(1, ME)).save(1, 1, "a");
            assertThat(stage.effects).containsExactly(new Saved(1));
            assertThat(stage.state.saved()).isEqualTo(saved(MINE, 1, "a"));
        }

        @Test
        void the_state_is_sent_again_to_the_members_of_a_new_view() {
            RingStage stage = leading().save(1, 1, "a");
            stage.receive(stage.sent(Heartbeat.class));
            stage.install(view(2, ME, GREATER, LESSER)).receive(stage.sent(Elect.class));
            assertThat(stage.sent(Elected.class).saved()).contains(saved(MINE, 1, "a"));
        }
    }

    @Nested
    @DisplayName("T4: the newest state of the view")
    class Newest {
        /** Delivers a heartbeat with a saved state, and then a view without the leader that sent the heartbeat. */
        private RingStage keeping(RingStage stage) {
            stage.install(stage.view).receive(stage.heartbeat(THEIRS, 1, 4, "a"));
            return stage.install(view(2, ME, LESSER));
        }

        private final VersionedState.Location mine = new VersionedState.Location(new VersionedState.Id(THEIRS, 4), ME);
        private final VersionedState.Location newer =
                new VersionedState.Location(new VersionedState.Id(THEIRS, 5), LESSER);

        @Test
        void a_key_collects_the_holder_of_the_newest_state() {
            RingStage stage = keeping(new RingStage());
            Elect elect = stage.sent(Elect.class);
            assertThat(elect.passed()).isEqualTo(new Passed(THEIRS, mine));
            Member greatest = new Member("0", "1");
            Key key = new Key(true, Term.NONE, 100, RingOrder.OLDEST, 0, greatest);
            stage.receive(new Elect(elect.view(), 0, key, 1, Passed.NOTHING));
            assertThat(stage.sent(Elect.class).passed().newest()).isEqualTo(mine);
            stage.receive(new Elect(elect.view(), 0, key, 2, new Passed(THEIRS, newer)));
            assertThat(stage.sent(Elect.class).passed().newest()).isEqualTo(newer);
        }

        @Test
        void a_winner_with_the_newest_state_leads_at_once() {
            RingStage stage = keeping(new RingStage());
            stage.receive(stage.sent(Elect.class));
            assertThat(stage.of(Lead.class)).hasSize(1);
        }

        /** Returns a machine that has won the round and waits for a newer saved state of another member. */
        private RingStage waiting() {
            RingStage stage = keeping(new RingStage());
            Elect elect = stage.sent(Elect.class);
            return stage.receive(new Elect(elect.view(), 0, elect.key(), 1, new Passed(THEIRS, newer)));
        }

        private StateResponse response(RingStage stage, long version) {
            return new StateResponse(stage.state.view().orElseThrow().id(), saved(THEIRS, version, "b"));
        }

        @Test
        void a_winner_requests_a_newer_state_and_then_leads() {
            RingStage stage = waiting();
            ViewId view = stage.state.view().orElseThrow().id();
            assertThat(stage.effects).containsExactly(new Send(LESSER, new StateRequest(view)));
            assertThat(stage.leads()).isFalse();
            stage.pass(30).receive(LESSER, response(stage, 5));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(4, ME)));
            assertThat(stage.sent(Elected.class).saved()).contains(saved(new Term(4, ME), 0, "b"));
            assertThat(stage.state.remainingAt(stage.now()))
                    .as("the leader lease starts when the winning message is sent")
                    .hasMillis(770);
        }

        @Test
        void a_winner_repeats_its_request_when_its_key_returns_again() {
            RingStage stage = waiting().pass(100).wake();
            Elect again = stage.sent(Elect.class);
            stage.receive(new Elect(again.view(), 0, again.key(), again.attempt(), new Passed(THEIRS, newer)));
            assertThat(stage.sent()).hasOnlyElementsOfType(StateRequest.class).hasSize(1);
        }

        @Test
        void a_winner_whose_answer_was_late_leads_when_its_key_returns_again() {
            RingStage stage =
                    waiting().pass(100).wake().pass(200).wake().pass(400).wake();
            Elect again = stage.sent(Elect.class);
            stage.pass(150).receive(LESSER, response(stage, 5));
            assertThat(stage.of(Lead.class)).isEmpty();
            stage.receive(new Elect(again.view(), 0, again.key(), again.attempt(), new Passed(THEIRS, newer)));
            assertThat(stage.of(Lead.class)).containsExactly(new Lead(new Term(4, ME)));
            assertThat(stage.sent(Elected.class).saved()).contains(saved(new Term(4, ME), 0, "b"));
            assertThat(stage.state.remainingAt(stage.now()))
                    .as("the leader lease starts when the key is sent again")
                    .hasMillis(650);
        }

        @Test
        void an_answer_that_is_too_old_or_of_another_member_or_view_is_dropped() {
            RingStage stage = waiting();
            stage.receive(LESSER, response(stage, 4));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.receive(GREATER, response(stage, 5));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.receive(LESSER, new StateResponse(stage.view.id(), saved(THEIRS, 5, "b")));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.saved()).isEqualTo(saved(THEIRS, 4, "a"));
            stage.receive(LESSER, response(stage, 5)).receive(LESSER, response(stage, 6));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            assertThat(stage.state.saved()).isEqualTo(saved(new Term(4, ME), 0, "b"));
        }

        @Test
        void an_answer_after_the_leader_lease_starts_no_leadership() {
            RingStage stage = waiting().pass(800);
            stage.receive(LESSER, response(stage, 5));
            assertThat(stage.of(Lead.class)).isEmpty();
        }

        @Test
        void with_peterson_a_winner_requests_a_newer_state() {
            RingStage stage = keeping(RingStage.peterson());
            ViewId view = stage.state.view().orElseThrow().id();
            stage.receive(new Chosen(view, 0, ME, new Passed(THEIRS, newer)));
            assertThat(stage.sent()).containsExactly(new StateRequest(view));
            stage.receive(LESSER, response(stage, 5));
            assertThat(stage.of(Lead.class)).hasSize(1);
        }

        @Test
        void a_member_answers_members_of_its_view_only() {
            RingStage stage = keeping(new RingStage());
            ViewId view = stage.state.view().orElseThrow().id();
            stage.receive(LESSER, new StateRequest(view));
            assertThat(stage.effects).containsExactly(new Send(LESSER, new StateResponse(view, saved(THEIRS, 4, "a"))));
            stage.receive(GREATER, new StateRequest(view));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
            stage.receive(LESSER, new StateRequest(stage.view.id()));
            assertThat(stage.dropped()).containsExactly(Why.PAST);
        }
    }

    @Nested
    @DisplayName("T5: a new term")
    class NewTerm {
        @Test
        void a_leader_starts_with_the_stored_state_in_its_own_term() {
            RingStage stage = RingStage.asLeader();
            stage.receive(stage.heartbeat(THEIRS, 1, 4, "a"));
            stage.install(view(2, ME, LESSER)).receive(stage.sent(Elect.class));
            assertThat(stage.state.saved()).isEqualTo(saved(new Term(4, ME), 0, "a"));
        }

        @Test
        void a_state_has_no_version_before_the_first_term() {
            assertThatThrownBy(() -> new VersionedState.Id(Term.NONE, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "a saved state has version 1 in term 0; versions are counted from 0, and are 0 before the"
                                    + " first term");
            assertThatThrownBy(() -> new VersionedState.Location(VersionedState.Id.NONE, ME))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new VersionedState.Location(new VersionedState.Id(MINE, 1), null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
