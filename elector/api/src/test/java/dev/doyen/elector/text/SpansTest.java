package dev.doyen.elector.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpansTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S,0.00 ms",
        "PT0.00012S,0.12 ms",
        "PT0.001S,1 ms",
        "PT0.999S,999 ms",
        "PT1S,1 s",
        "PT3.29S,3.2 s",
        "PT59.99S,59.9 s",
        "PT60S,1 min",
        "PT4M10.9S,4 min 10 s",
        "PT2H,2 h",
        "PT2H5M59S,2 h 5 min",
        "PT76H,3 d 4 h",
        "PT-3S,-3 s"
    })
    void a_duration_has_at_most_two_units(Duration span, String text) {
        assertThat(Spans.text(span)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"PT9.999S,10 s", "PT9.9S,9.9 s", "PT9.900000001S,10 s", "PT0.0421S,43 ms", "PT3M20.05S,3 min 20 s"})
    void the_remaining_time_is_rounded_up_to_a_tenth_of_a_second(Duration span, String text) {
        assertThat(Spans.left(span)).isEqualTo(text);
    }

    @Test
    void the_age_of_a_time_allows_for_a_clock_that_is_ahead() {
        var now = Instant.parse("2026-11-21T12:00:00.900Z");

        assertThat(Spans.text(now)).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(Spans.ago(now.minusSeconds(3), now)).isEqualTo("3 s ago");
        assertThat(Spans.ago(now.minusMillis(20), now)).isEqualTo("just now");
        assertThat(Spans.ago(now.plusSeconds(3), now)).isEqualTo("ahead of this machine's clock by 3 s");
    }
}
