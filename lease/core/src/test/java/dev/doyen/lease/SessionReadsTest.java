package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests rule L12: how often an idle process with very many elections reads their records. */
class SessionReadsTest {

    private static final long TICK = Stage.TIMING.pollEvery().toNanos();
    private static final long TTL = Stage.TIMING.ttl().toNanos();
    private static final long NOW = 123_456_789_012_345L;

    @Test
    void reads_of_many_machines_share_a_few_ticks_within_a_fifth_of_three_ttl() {
        Set<Long> instants = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            // The machines start at different times within one second.
            long at = machine(i, true).nextReadNanos(NOW + i * 1_000_000L, i);
            assertThat(at - NOW).isBetween((long) (2.4 * TTL), (long) (3.6 * TTL) + TICK + 1_000_000_000L);
            instants.add(at);
        }
        assertThat(instants).hasSizeBetween(8, 16).allMatch(at -> at % TICK == 0);
    }

    @Test
    void a_read_is_never_in_the_past_on_a_negative_clock() {
        for (int i = 0; i < 1000; i++) {
            assertThat(machine(i, true).nextReadNanos(-NOW - i, i) - (-NOW - i)).isGreaterThan(2 * TTL);
        }
    }

    @Test
    void reads_of_a_store_without_announcements_are_spread() {
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
