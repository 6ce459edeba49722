package dev.doyen.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricsTest {

    @Test
    void a_counter_is_summed_over_its_labels() {
        String text = "# TYPE msgs counter\nmsgs{method=\"a b\"} 3\nmsgs{method=\"c\"} 1.5e+02\nmsgs_more 9\n";

        assertThat(Metrics.sum(text, "msgs")).isEqualTo(153);
    }

    @Test
    void a_number_can_follow_a_tab() {
        assertThat(Metrics.sum("zk_version\t3.9.3 built on 2024\nzk_packets_received\t42\n", "zk_packets_received"))
                .isEqualTo(42);
    }

    @Test
    void a_missing_counter_is_an_error_and_not_zero() {
        assertThatThrownBy(() -> Metrics.sum("other 1\n", "msgs")).hasMessage("the server does not report msgs");
    }
}
