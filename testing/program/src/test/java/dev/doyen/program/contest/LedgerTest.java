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
    void one_leader_after_another_is_as_it_should_be() {
        witness.told("anna", 1L);
        ledger.sent("1", 1, "anna");
        witness.heard("1", 1, "anna");
        ledger.acked("1");
        witness.told("anna", null);
        witness.told("ben", 2L);
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

        finds(() -> ledger.granted(1, "ben"), "two grants with one term");
    }

    @Test
    void two_leaders_at_once_are_found_unless_the_observer_was_away() {
        witness.told("anna", 1L);

        finds(() -> witness.told("ben", 2L), "two lead");

        witness.deaf();
        witness.told("ben", 2L);
    }

    @Test
    void a_term_lower_than_one_before_is_found() {
        witness.told("anna", 2L);
        witness.told("anna", null);

        finds(() -> witness.told("ben", 1L), "terms fell");
    }

    @Test
    void publishes_of_two_terms_that_take_turns_are_found_by_what_the_observer_hears() {
        ledger.sent("1", 1, "anna");
        ledger.sent("2", 2, "ben");
        witness.heard("2", 2, "ben");

        finds(() -> witness.heard("1", 1, "anna"), "interleaved");
    }

    @Test
    void they_are_found_by_what_was_acknowledged_too_when_the_observer_heard_neither() {
        ledger.granted(1, "anna");
        ledger.granted(2, "ben");
        ledger.sent("2", 2, "ben");
        ledger.acked("2");
        ledger.sent("1", 1, "anna");
        ledger.acked("1");

        finds(ledger::close, "although it was sent after");
    }

    @Test
    void what_was_on_its_way_when_the_next_leader_began_may_be_accepted_late() {
        ledger.granted(1, "anna");
        ledger.sent("1", 1, "anna");
        ledger.granted(2, "ben");
        ledger.sent("2", 2, "ben");
        ledger.acked("2");
        ledger.acked("1");

        ledger.close();
    }

    @Test
    void a_publish_that_was_sent_when_the_next_leader_was_known_is_found() {
        ledger.granted(1, "anna");
        witness.told("ben", 2L);
        ledger.sent("1", 1, "anna");
        ledger.acked("1");

        finds(ledger::close, "although it was sent after it was told who leads in term 2");
    }

    @Test
    void each_witness_has_leaders_and_terms_of_its_own_and_may_be_late() {
        witness.told("anna", 1L);
        other.told("anna", 1L);
        witness.told("anna", null);
        witness.told("ben", 2L);
        other.told("anna", null);
        other.told("ben", 2L);

        finds(() -> other.told("anna", 1L), "two lead, to otto");
    }

    @Test
    void who_listens_anew_where_it_was_hears_nothing_older_but_elsewhere_may() {
        publish("1", 1);
        publish("2", 2);
        witness.told("ben", 2L);
        witness.heard("2", 2, "ben");

        witness.deaf();
        finds(() -> witness.told("ben", 1L), "terms fell");
        finds(() -> witness.heard("1", 1, "ben"), "interleaved");
        finds(() -> witness.heard("2", 2, "ben"), "published twice");

        witness.elsewhere();
        witness.heard("1", 1, "ben");
        witness.heard("2", 2, "ben");
        witness.told("ben", 1L);
    }

    @Test
    void two_that_heard_in_different_orders_are_found() {
        publish("1", 1);
        publish("2", 1);
        hears(witness, "1", "2");
        hears(other, "2", "1");

        finds(ledger::close, "not in one order");
    }

    @Test
    void an_order_that_only_three_together_show_to_be_none_is_found() {
        publish("1", 1);
        publish("2", 1);
        publish("3", 1);
        hears(witness, "1", "2");
        hears(other, "2", "3");
        hears(ledger.witness("uta"), "3", "1");

        finds(ledger::close, "not in one order");
    }

    @Test
    void what_one_heard_between_two_and_another_did_not_is_found_unless_it_was_away() {
        publish("1", 1);
        publish("2", 1);
        publish("3", 1);
        hears(witness, "1", "2", "3");
        hears(other, "1");
        other.deaf();
        hears(other, "3");

        ledger.close();

        Witness third = ledger.witness("uta");
        hears(third, "1");
        third.goesOn();
        hears(third, "3");
        finds(ledger::close, "missed: 3 came next to 1 for one observer, and [2] between them");
    }

    private void publish(String id, long fence) {
        ledger.granted(fence, "ben");
        ledger.sent(id, fence, "ben");
    }

    private static void hears(Witness who, String... ids) {
        for (String id : ids) {
            who.heard(id, 1, "ben");
        }
    }

    @Test
    void a_publish_in_somebody_elses_term_is_found() {
        ledger.granted(1, "anna");
        ledger.sent("1", 1, "ben");
        ledger.acked("1");

        finds(ledger::close, "which was anna's");
    }

    @Test
    void a_publish_without_a_fence_is_found() {
        ledger.sent("1", Ledger.UNFENCED, "anna");

        finds(() -> ledger.acked("1"), "without a fence");
        finds(() -> witness.heard("1", Ledger.UNFENCED, "anna"), "without a fence");
    }

    @Test
    void what_was_refused_and_published_is_found_in_either_order() {
        ledger.sent("1", 1, "anna");
        ledger.nacked("1");
        finds(() -> witness.heard("1", 1, "anna"), "refused and yet published");

        ledger.sent("2", 1, "anna");
        witness.heard("2", 1, "anna");
        finds(() -> ledger.nacked("2"), "published and refused");
        finds(() -> witness.heard("2", 1, "anna"), "published twice");
    }

    private static void finds(Runnable what, String words) {
        assertThatThrownBy(what::run).isInstanceOf(AssertionError.class).hasMessageContaining(words);
    }
}
