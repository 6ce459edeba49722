package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DrainRateTest {

    private static List<Integer> ticks(DrainRate rate, int clients) {
        var counts = new ArrayList<Integer>();
        for (int left = clients; left > 0; left -= counts.get(counts.size() - 1)) {
            counts.add(rate.next(left));
        }
        return counts;
    }

    @Test
    void many_clients_are_spread_evenly_over_the_time() {
        var counts = ticks(new DrainRate(Duration.ofSeconds(1)), 1_000);
        assertThat(counts).hasSize(20).allMatch(one -> one == 50);
    }

    @Test
    void a_remainder_is_also_disconnected_in_time() {
        var counts = ticks(new DrainRate(Duration.ofSeconds(1)), 1_013);
        assertThat(counts).hasSize(20).allMatch(one -> one == 50 || one == 51);
    }

    @Test
    void a_few_clients_are_disconnected_at_once() {
        assertThat(ticks(new DrainRate(Duration.ofMinutes(1)), 3)).containsExactly(1, 1, 1);
    }

    @Test
    void without_time_all_clients_are_disconnected_at_once() {
        assertThat(ticks(new DrainRate(Duration.ZERO), 500)).containsExactly(500);
        assertThat(ticks(new DrainRate(Duration.ofMillis(49)), 500)).containsExactly(500);
    }

    @Test
    void a_second_signal_disconnects_the_remaining_clients_at_once() {
        var rate = new DrainRate(Duration.ofMinutes(1));
        assertThat(rate.next(2_400)).isEqualTo(2);
        rate.hurry();
        assertThat(ticks(rate, 2_398)).containsExactly(2_398);
    }

    @Test
    void late_clients_are_disconnected_at_the_last_tick() {
        var rate = new DrainRate(Duration.ofMillis(100));
        assertThat(rate.next(10)).isEqualTo(5);
        assertThat(rate.next(500)).isEqualTo(500);
    }
}
