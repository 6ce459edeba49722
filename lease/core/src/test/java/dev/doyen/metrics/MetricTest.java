package dev.doyen.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetricTest {

    @ParameterizedTest
    @EnumSource
    void a_name_follows_the_conventions_of_prometheus(Metric metric) {
        assertThat(metric.id()).matches("doyen(_[a-z]+)+");
        assertThat(metric.id().endsWith("_total")).isEqualTo(metric.type() == Metric.Type.COUNTER);
        assertThat(metric.id().contains("_duration")).isEqualTo(metric.type() == Metric.Type.HISTOGRAM);
        assertThat(metric.labels()).isNotEmpty().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "IS_LEADER, doyen.is.leader, ",
        "LEADERLESS, doyen.leaderless, seconds",
        "TRANSITIONS, doyen.transitions, ",
        "STORE_DURATION, doyen.store.duration, seconds"
    })
    void a_name_in_micrometer_has_neither_the_unit_nor_total(Metric metric, String name, @Nullable String unit) {
        assertThat(metric.meterName()).isEqualTo(name);
        assertThat(metric.unit().orElse(null)).isEqualTo(unit);
    }

    @Test
    void every_operation_can_fail() {
        for (var operation : StoreOperation.values()) {
            assertThat(operation.outcomes()).contains(StoreOutcome.FAILED);
        }
    }
}
