package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DrainRateTest {

    private static List<Integer> ticks(DrainRate pace, int clients) {
        var told = new ArrayList<Integer>();
        for (int left = clients; left > 0; left -= told.get(told.size() - 1)) {
            told.add(pace.next(left));
        }
        return told;
    }

    @Test
    void many_are_spread_evenly_over_the_time() {
        var told = ticks(new DrainRate(Duration.ofSeconds(1)), 1_000);
        assertThat(told).hasSize(20).allMatch(one -> one == 50);
    }

    @Test
    void what_does_not_divide_is_done_in_time_too() {
        var told = ticks(new DrainRate(Duration.ofSeconds(1)), 1_013);
        assertThat(told).hasSize(20).allMatch(one -> one == 50 || one == 51);
    }

    @Test
    void few_are_not_kept_waiting() {
        assertThat(ticks(new DrainRate(Duration.ofMinutes(1)), 3)).containsExactly(1, 1, 1);
    }

    @Test
    void without_time_all_go_at_once() {
        assertThat(ticks(new DrainRate(Duration.ZERO), 500)).containsExactly(500);
        assertThat(ticks(new DrainRate(Duration.ofMillis(49)), 500)).containsExactly(500);
    }

    @Test
    void who_is_in_a_hurry_sends_the_rest_at_once() {
        var pace = new DrainRate(Duration.ofMinutes(1));
        assertThat(pace.next(2_400)).isEqualTo(2);
        pace.hurry();
        assertThat(ticks(pace, 2_398)).containsExactly(2_398);
    }

    @Test
    void those_that_come_late_go_at_the_last_tick_at_the_latest() {
        var pace = new DrainRate(Duration.ofMillis(100));
        assertThat(pace.next(10)).isEqualTo(5);
        assertThat(pace.next(500)).isEqualTo(500);
    }
}
