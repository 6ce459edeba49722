package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.benchmarks.contender.Entrant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assertThat(new Sample(List.of(4.0, 1.0, 3.0, 2.0)).median()).isEqualTo(2.5);
        assertThat(new Sample(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
    }

    @Test
    void nine_tenths_are_not_above_the_p90() {
        assertThat(new Sample(List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)).p90())
                .isEqualTo(9);
        assertThat(Sample.of(3).p90()).isEqualTo(3);
    }

    @Test
    void an_empty_measurement_is_rejected() {
        assertThatThrownBy(() -> new Sample(List.of())).hasMessageContaining("no values");
    }

    @Test
    void a_figure_is_compared_with_the_best_peer_on_the_same_kind_of_server() {
        var doyen = figure(Entrant.DOYEN_POSTGRES, 10);
        var all = List.of(
                doyen,
                figure(Entrant.SPRING_JDBC, 40),
                figure(Entrant.SHEDLOCK, 20),
                figure(Entrant.CURATOR, 1),
                new Figure("p", "something else", "ms", Entrant.SPRING_JDBC, Sample.of(1)));

        assertThat(doyen.toBestPeer(all)).hasValue(0.5);
        assertThat(figure(Entrant.DOYEN_ETCD, 10).toBestPeer(all)).isEmpty();
        assertThat(new Report(Map.of("date", "today"), "./dev bench", all, List.of("mind this")).markdown())
                .contains(
                        "| handover | PostgreSQL | Doyen, Election | 10 ms |",
                        "| x 0.500 |",
                        "`./dev bench`",
                        "- mind this");
    }

    private static Figure figure(Entrant entrant, double value) {
        return new Figure("p", "handover", "ms", entrant, Sample.of(value));
    }
}
