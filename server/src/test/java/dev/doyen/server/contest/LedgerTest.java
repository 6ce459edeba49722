package dev.doyen.server.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A judge that finds nothing must be known to find something. */
class LedgerTest {

    private final Ledger ledger = new Ledger();

    @Test
    void one_leader_after_another_is_as_it_should_be() {
        ledger.told("anna", 1L);
        ledger.sent("1", 1, "anna");
        ledger.heard("1", 1, "anna");
        ledger.acked("1");
        ledger.told("anna", null);
        ledger.told("ben", 2L);
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
        ledger.told("anna", 1L);

        finds(() -> ledger.told("ben", 2L), "two lead");

        ledger.deaf();
        ledger.told("ben", 2L);
    }

    @Test
    void a_term_lower_than_one_before_is_found() {
        ledger.told("anna", 2L);
        ledger.told("anna", null);

        finds(() -> ledger.told("ben", 1L), "terms fell");
    }

    @Test
    void publishes_of_two_terms_that_take_turns_are_found_by_what_the_observer_hears() {
        ledger.sent("1", 1, "anna");
        ledger.sent("2", 2, "ben");
        ledger.heard("2", 2, "ben");

        finds(() -> ledger.heard("1", 1, "anna"), "interleaved");
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
        ledger.granted(2, "ben");
        ledger.sent("1", 1, "anna");
        ledger.sent("2", 2, "ben");
        ledger.acked("2");
        ledger.acked("1");

        ledger.close();
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
        finds(() -> ledger.heard("1", Ledger.UNFENCED, "anna"), "without a fence");
    }

    @Test
    void what_was_refused_and_published_is_found_in_either_order() {
        ledger.sent("1", 1, "anna");
        ledger.nacked("1");
        finds(() -> ledger.heard("1", 1, "anna"), "refused and yet published");

        ledger.sent("2", 1, "anna");
        ledger.heard("2", 1, "anna");
        finds(() -> ledger.nacked("2"), "published and refused");
        finds(() -> ledger.heard("2", 1, "anna"), "published twice");
    }

    private static void finds(Runnable what, String words) {
        assertThatThrownBy(what::run).isInstanceOf(AssertionError.class).hasMessageContaining(words);
    }
}
