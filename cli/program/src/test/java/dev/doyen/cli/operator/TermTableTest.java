package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.NOON;
import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.past;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.operator.TermTable.Row;
import dev.doyen.event.LossCause;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TermTableTest {

    @Test
    void the_present_term_comes_first_and_the_gap_is_from_the_end_of_the_one_before() {
        var record = noting(
                held("c", 7, 0),
                past(ended(6, "b", -60, -4, LossCause.EXPIRED), ended(5, "a", -120, -61, LossCause.RESIGNED)));

        assertThat(TermTable.of(record))
                .containsExactly(
                        new Row(
                                7,
                                "c",
                                NOON,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(Duration.ofSeconds(4)),
                                "",
                                ""),
                        new Row(
                                6,
                                "b",
                                NOON.minusSeconds(60),
                                Optional.of(NOON.minusSeconds(4)),
                                Optional.of(LossCause.EXPIRED),
                                Optional.of(Duration.ofSeconds(1)),
                                "",
                                ""),
                        new Row(
                                5,
                                "a",
                                NOON.minusSeconds(120),
                                Optional.of(NOON.minusSeconds(61)),
                                Optional.of(LossCause.RESIGNED),
                                Optional.empty(),
                                "",
                                ""));
    }

    @Test
    void without_a_leader_there_is_no_present_term() {
        assertThat(TermTable.of(free(3, "a", LossCause.CLOSED)))
                .extracting(Row::term)
                .containsExactly(3L);
    }

    @Test
    void over_a_term_that_is_not_remembered_no_gap_is_told() {
        var record = noting(held("c", 7, 0), past(ended(5, "a", -120, -61, LossCause.RESIGNED)));

        assertThat(TermTable.of(record).get(0).gapBefore()).isEmpty();
    }

    private static PastTerm ended(long term, String holder, long from, long until, LossCause end) {
        return new PastTerm(term, holder, NOON.plusSeconds(from), NOON.plusSeconds(until), end);
    }
}
