package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that {@link RingOutput} detects overlaps and shared terms, and accepts correct runs. */
class RingOutputTest {

    private final RingOutput output = new RingOutput();

    @Test
    void two_members_that_lead_in_one_term_at_once_are_found() {
        begin("a", "a,b,c");
        begin("b", "a,b,c");
        leads("a", 10, 7, 3);
        leads("b", 10, 7, 3);

        assertThat(output.overlaps()).isEmpty();
        assertThat(output.sharedTerms()).containsExactly("term 7 had the leaders a, b");
    }

    @Test
    void two_members_that_lead_in_one_term_one_after_the_other_are_found() {
        begin("a", "a,b,c");
        begin("b", "a,b,c");
        leads("a", 10, 7, 3);
        leads("a", 20, 7, 3);
        leads("b", 90, 7, 2);

        assertThat(output.sharedTerms()).containsExactly("term 7 had the leaders a, b");
    }

    @Test
    void a_founder_and_a_member_that_was_never_alone_must_not_lead_in_one_term() {
        begin("a", "a");
        begin("b", "a,b");
        leads("a", 10, 1, 2);
        leads("b", 20, 1, 2);

        assertThat(output.sharedTerms()).containsExactly("term 1 had the leaders a, b");
    }

    @Test
    void founders_must_not_lead_in_one_term_after_their_first_one() {
        begin("a", "a");
        begin("b", "b");
        leads("a", 10, 1, 1);
        leads("b", 10, 1, 1);
        leads("a", 20, 5, 2);
        leads("b", 30, 5, 2);

        assertThat(output.sharedTerms()).containsExactly("term 5 had the leaders a, b");
    }

    @Test
    void processes_that_each_founded_a_cluster_can_start_with_equal_terms() {
        begin("a", "a");
        begin("b", "b");
        begin("c", "a,c");
        leads("a", 10, 1, 2);
        leads("b", 10, 1, 1);
        leads("b", 20, 1, 3);

        assertThat(output.sharedTerms()).isEmpty();
    }

    @Test
    void terms_with_one_leader_each_are_correct() {
        begin("a", "a");
        begin("b", "a,b");
        leads("a", 10, 1, 2);
        leads("b", 20, 2, 2);
        leads("a", 30, 3, 2);

        assertThat(output.sharedTerms()).isEmpty();
        assertThat(output.overlaps()).isEmpty();
    }

    @Test
    void a_lower_term_after_a_higher_one_is_found() {
        leads("a", 10, 2, 2);
        leads("b", 20, 1, 2);

        assertThat(output.overlaps()).extracting(RingOutput.Led::by).containsExactly("b");
    }

    /** Records the first view of a member. */
    private void begin(String id, String members) {
        output.note(id, "1 view 0 - " + members);
    }

    private void leads(String id, long at, long term, int members) {
        output.note(id, at + " leads " + term + " " + members);
    }
}
