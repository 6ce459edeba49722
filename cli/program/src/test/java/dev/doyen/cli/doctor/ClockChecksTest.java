package dev.doyen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClockChecksTest {

    private static final Duration EVERY = Duration.ofMillis(50);
    private static final LeaseTiming TIMING = LeaseTiming.ofTtl(Duration.ofSeconds(10));

    private final List<Moment> readings = new ArrayList<>(List.of(new Moment(0, 1_000_000)));

    @Test
    void clocks_with_equal_rates_are_ok() {
        for (int at = 0; at < 60; at++) {
            passes(50, 50);
        }

        assertThat(clocks().verdict()).isEqualTo(Verdict.OK);
        assertThat(clocks().sentence())
                .isEqualTo("over 3 s the wall and the monotonic clock ran 0.00 % apart, without a jump");
        assertThat(pauses().verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void a_jump_of_the_wall_clock_is_reported_with_its_direction() {
        passes(50, 50);
        passes(50, 2050);
        assertThat(clocks().verdict()).isEqualTo(Verdict.WARN);
        assertThat(clocks().sentence()).contains("jumped ahead by 2 s");
        passes(50, -8950);
        assertThat(clocks().sentence()).contains("jumped back by 9 s");
    }

    @Test
    void different_clock_rates_are_a_warning_from_1_percent_and_an_error_from_10() {
        for (int at = 0; at < 1000; at++) {
            passes(1000, 1009);
        }
        assertThat(clocks().verdict()).isEqualTo(Verdict.OK);

        readings.clear();
        readings.add(new Moment(0, 1_000_000));
        for (int at = 0; at < 1000; at++) {
            passes(1000, 1011);
        }
        assertThat(clocks().verdict()).isEqualTo(Verdict.WARN);

        readings.clear();
        readings.add(new Moment(0, 1_000_000));
        for (int at = 0; at < 100; at++) {
            passes(50, 44);
        }
        assertThat(clocks().verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void the_error_of_reading_the_clocks_is_not_a_fault() {
        passes(50, 53);

        assertThat(clocks().verdict()).isEqualTo(Verdict.OK);
    }

    /** Tests a pause of about 2 s, which is the request timeout for a ttl of 10 s. */
    @Test
    void a_process_that_is_suspended_as_long_as_a_call_is_a_warning() {
        passes(2049, 2049);
        assertThat(pauses().verdict()).isEqualTo(Verdict.OK);
        passes(2050, 2050);
        assertThat(pauses().verdict()).isEqualTo(Verdict.WARN);
        assertThat(pauses().sentence()).startsWith("this process was suspended for 2 s");
    }

    private void passes(long monotonicMillis, long wallMillis) {
        var last = readings.get(readings.size() - 1);
        readings.add(new Moment(last.nanos() + monotonicMillis * 1_000_000, last.wallMillis() + wallMillis));
    }

    private Check clocks() {
        return ClockChecks.of(readings, EVERY, TIMING).get(0);
    }

    private Check pauses() {
        return ClockChecks.of(readings, EVERY, TIMING).get(1);
    }
}
