package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RankingSettingsTest {

    private static RankingSettings of(int priority, long ttl, long settle, long backoff, long most) {
        return new RankingSettings(
                Ranking.oldest(),
                priority,
                true,
                Duration.ofMillis(ttl),
                Duration.ofMillis(settle),
                Duration.ofMillis(50),
                Duration.ofSeconds(5),
                Duration.ofMillis(backoff),
                Duration.ofMillis(most),
                Duration.ofSeconds(10));
    }

    @Test
    void settings_out_of_bounds_are_refused_with_a_sentence() {
        assertThatThrownBy(() -> of(101, 5000, 500, 250, 5000))
                .hasMessage("priority is 101; its bounds are 0 and 100: lower it");
        assertThatThrownBy(() -> of(0, 99, 500, 250, 5000))
                .hasMessage("ttl is 99 ms; its bounds are 100 and 3600000 ms: raise it");
        assertThatThrownBy(() -> of(0, 5000, 60_001, 250, 5000))
                .hasMessage("settle is 60001 ms; its bounds are 0 and 60000 ms: lower it");
        assertThatThrownBy(() -> of(0, 5000, 500, 0, 5000))
                .hasMessage("backoff is 0 ms; its bounds are 1 and 60000 ms: raise it");
        assertThatThrownBy(() -> of(0, 5000, 500, 250, 249))
                .hasMessage("backoffMost is 249 ms; at least backoff (250 ms): raise it");
        assertThat(of(100, 100, 0, 1, 1).priority()).isEqualTo(100);
    }
}
