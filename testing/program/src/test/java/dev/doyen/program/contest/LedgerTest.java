package dev.doyen.program.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests that the ledger detects each violation. */
class LedgerTest {

    private final Ledger ledger = new Ledger();
    private final Witness witness = ledger.witness("eve");
    private final Witness other = ledger.witness("otto");

    @Test
    void consecutive_leaders_are_correct() {
        witness.reported("anna", 1L);
        ledger.sent("1", 1, "anna");
        witness.delivered("1", 1, "anna");
        ledger.acked("1");
        witness.reported("anna", null);
        witness.reported("ben", 2L);
        ledger.sent("2", 1, "anna");
        ledger.nacked("2");
        ledger.sent("3", 2, "ben");
        ledger.acked("3");

        ledger.close();

        assertThat(ledger.accepted).isEqualTo(2);
        assertThat(ledger.refused).isEqualTo(1);
        assertThat(ledger.terms()).isEqualTo(2);
    }

    @Test
    void one_term_for_two_is_found() {
        ledger.granted(1, "anna");

        finds(() -> ledger.granted(1, "ben"), "two holders of one term");
    }

    @Test
    void two_leaders_at_once_are_found_unless_the_observer_was_away() {
        witness.reported("anna", 1L);

        finds(() -> witness.reported("ben", 2L), "two leaders");

        witness.mayHaveMissed();
        witness.reported("ben", 2L);
    }

    @Test
    void a_lower_term_after_a_higher_term_is_found() {
        witness.reported("anna", 2L);
        witness.reported("anna", null);

        finds(() -> witness.reported("ben", 1L), "the term decreased");
    }

    @Test
    void alternating_publishes_of_two_terms_are_found_by_the_observer() {
        ledger.sent("1", 1, "anna");
        ledger.sent("2", 2, "ben");
        witness.delivered("2", 2, "ben");

        finds(() -> witness.delivered("1", 1, "anna"), "interleaved");
    }

    @Test
    void alternating_publishes_are_found_by_their_acknowledgements() {
        ledger.granted(1, "anna");
        ledger.granted(2, "ben");
        ledger.sent("2", 2, "ben");
        ledger.acked("2");
        ledger.sent("1", 1, "anna");
        ledger.acked("1");

        finds(ledger::close, "although it was sent after");
    }

    @Test
    void a_publish_sent_before_the_next_leader_can_be_accepted_late() {
        ledger.granted(1, "anna");
        ledger.sent("1", 1, "anna");
        ledger.granted(2, "ben");
        ledger.sent("2", 2, "ben");
        ledger.acked("2");
        ledger.acked("1");

        ledger.close();
    }

    @Test
    void a_publish_sent_after_the_next_leader_was_known_is_found() {
        ledger.granted(1, "anna");
        witness.reported("ben", 2L);
        ledger.sent("1", 1, "anna");
        ledger.acked("1");

        finds(ledger::close, "although it was sent after the report of term 2");
    }

    @Test
    void each_observer_has_its_own_leaders_and_terms() {
        witness.reported("anna", 1L);
        other.reported("anna", 1L);
        witness.reported("anna", null);
        witness.reported("ben", 2L);
        other.reported("anna", null);
        other.reported("ben", 2L);

        finds(() -> other.reported("anna", 1L), "two leaders at otto");
    }

    @Test
    void an_observer_that_reconnects_to_its_node_gets_nothing_older() {
        publish("1", 1);
        publish("2", 2);
        witness.reported("ben", 2L);
        witness.delivered("2", 2, "ben");

        witness.mayHaveMissed();
        finds(() -> witness.reported("ben", 1L), "the term decreased");
        finds(() -> witness.delivered("1", 1, "ben"), "interleaved");
        finds(() -> witness.delivered("2", 2, "ben"), "published twice");

        witness.elsewhere();
        witness.delivered("1", 1, "ben");
        witness.delivered("2", 2, "ben");
        witness.reported("ben", 1L);
    }

    @Test
    void different_orders_of_two_observers_are_found() {
        publish("1", 1);
        publish("2", 1);
        deliver(witness, "1", "2");
        deliver(other, "2", "1");

        finds(ledger::close, "not in one order");
    }

    @Test
    void an_order_that_only_three_observers_contradict_is_found() {
        publish("1", 1);
        publish("2", 1);
        publish("3", 1);
        deliver(witness, "1", "2");
        deliver(other, "2", "3");
        deliver(ledger.witness("uta"), "3", "1");

        finds(ledger::close, "not in one order");
    }

    @Test
    void a_message_missing_at_one_observer_is_found() {
        publish("1", 1);
        publish("2", 1);
        publish("3", 1);
        deliver(witness, "1", "2", "3");
        deliver(other, "1");
        other.mayHaveMissed();
        deliver(other, "3");

        ledger.close();

        Witness third = ledger.witness("uta");
        deliver(third, "1");
        third.goesOn();
        deliver(third, "3");
        finds(ledger::close, "missed: one observer received 3 directly after 1, and another one [2] between them");
    }

    private void publish(String id, long fence) {
        ledger.granted(fence, "ben");
        ledger.sent(id, fence, "ben");
    }

    private static void deliver(Witness who, String... ids) {
        for (String id : ids) {
            who.delivered(id, 1, "ben");
        }
    }

    @Test
    void a_publish_in_a_foreign_term_is_found() {
        ledger.granted(1, "anna");
        ledger.sent("1", 1, "ben");
        ledger.acked("1");

        finds(ledger::close, "whose holder was anna");
    }

    @Test
    void a_publish_without_a_fence_is_found() {
        ledger.sent("1", Ledger.UNFENCED, "anna");

        finds(() -> ledger.acked("1"), "without a fence");
        finds(() -> witness.delivered("1", Ledger.UNFENCED, "anna"), "without a fence");
    }

    @Test
    void a_publish_that_was_both_rejected_and_published_is_found() {
        ledger.sent("1", 1, "anna");
        ledger.nacked("1");
        finds(() -> witness.delivered("1", 1, "anna"), "rejected but published");

        ledger.sent("2", 1, "anna");
        witness.delivered("2", 1, "anna");
        finds(() -> ledger.nacked("2"), "published and rejected");
        finds(() -> witness.delivered("2", 1, "anna"), "published twice");
    }

    private static void finds(Runnable what, String message) {
        assertThatThrownBy(what::run).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }
}
