package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.NOON;
import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.past;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.operator.TermTable.Row;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TermTableTest {

    @Test
    void the_current_term_is_first_and_its_gap_starts_at_the_end_of_the_previous_term() {
        LeaseNotes.PastTerm sixth = ended(6, "b", -60, -4, LossCause.EXPIRED);
        LeaseNotes.PastTerm fifth = ended(5, "a", -120, -61, LossCause.RESIGNED);

        assertThat(TermTable.of(noting(held("c", 7, 0), past(sixth, fifth))))
                .containsExactly(
                        new Row(7, "c", NOON, Optional.empty(), Optional.of(Duration.ofSeconds(4))),
                        new Row(6, "b", sixth.from(), Optional.of(sixth), Optional.of(Duration.ofSeconds(1))),
                        new Row(5, "a", fifth.from(), Optional.of(fifth), Optional.empty()));
    }

    @Test
    void an_election_without_a_leader_has_no_current_term() {
        assertThat(TermTable.of(free(3, "a", LossCause.CLOSED)))
                .extracting(Row::term)
                .containsExactly(3L);
    }

    @Test
    void the_gap_is_empty_if_the_previous_term_is_unknown() {
        var record = noting(held("c", 7, 0), past(ended(5, "a", -120, -61, LossCause.RESIGNED)));

        assertThat(TermTable.of(record).get(0).gapBefore()).isEmpty();
    }

    private static LeaseNotes.PastTerm ended(long term, String holder, long from, long until, LossCause end) {
        return new LeaseNotes.PastTerm(term, holder, NOON.plusSeconds(from), NOON.plusSeconds(until), end);
    }
}
