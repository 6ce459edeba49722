package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rule L12: how often a process with very many elections reads the store while nothing happens. */
class SessionReadsTest {

    private static final long TICK = Stage.TIMING.pollEvery().toNanos();
    private static final long TTL = Stage.TIMING.ttl().toNanos();
    private static final long NOW = 123_456_789_012_345L;

    @Test
    void looks_of_many_machines_fall_on_a_few_common_ticks_within_a_fifth_of_three_ttl() {
        Set<Long> instants = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            // The machines began at different times of the same second.
            long at = machine(i, true).nextReadNanos(NOW + i * 1_000_000L, i);
            assertThat(at - NOW).isBetween((long) (2.4 * TTL), (long) (3.6 * TTL) + TICK + 1_000_000_000L);
            instants.add(at);
        }
        assertThat(instants).hasSizeBetween(8, 16).allMatch(at -> at % TICK == 0);
    }

    @Test
    void a_look_is_never_in_the_past_on_a_clock_that_is_negative() {
        for (int i = 0; i < 1000; i++) {
            assertThat(machine(i, true).nextReadNanos(-NOW - i, i) - (-NOW - i)).isGreaterThan(2 * TTL);
        }
    }

    @Test
    void looks_at_a_store_that_announces_nothing_are_spread_as_before() {
        Set<Long> instants = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            instants.add(machine(i, false).nextReadNanos(NOW, i));
        }
        assertThat(instants).hasSizeGreaterThan(990);
    }

    private static LeaseMachine machine(long seed, boolean watched) {
        return new LeaseMachine("orders", Stage.TIMING, RenewalMode.RENEWS_SESSION, Priority.DEFAULT, watched, seed);
    }
}
