package dev.doyen.micrometer;

import dev.doyen.metrics.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Builds the meters of the metrics that all programs publish, with the names, units and labels of {@link Metric}. */
final class CommonMeters {

    private static final Duration[] BOUNDS = Metric.BOUNDS_SECONDS.stream()
            .map(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
            .toArray(Duration[]::new);

    private CommonMeters() {}

    static <T> Gauge.Builder<T> gauge(Metric metric, Tags tags, T object, ToDoubleFunction<T> value) {
        return Gauge.builder(metric.meterName(), object, value)
                .description(metric.help())
                .baseUnit(metric.unit().orElse(null))
                .tags(tags);
    }

    static Counter.Builder counter(Metric metric, Tags tags) {
        return Counter.builder(metric.meterName()).description(metric.help()).tags(tags);
    }

    static <T> FunctionCounter.Builder<T> counter(Metric metric, Tags tags, T object, ToDoubleFunction<T> value) {
        return FunctionCounter.builder(metric.meterName(), object, value)
                .description(metric.help())
                .baseUnit(metric.unit().orElse(null))
                .tags(tags);
    }

    /** Returns a timer with the buckets that all programs use. */
    static Timer.Builder timer(Metric metric, Tags tags) {
        return Timer.builder(metric.meterName())
                .description(metric.help())
                .serviceLevelObjectives(BOUNDS)
                .tags(tags);
    }

    /** Returns the tags with the last labels of the metric, one label for each value. */
    static Tags tags(Tags tags, Metric metric, String... values) {
        List<String> labels = metric.labels();
        List<Tag> more = new ArrayList<>();
        for (int at = 0; at < values.length; at++) {
            more.add(Tag.of(labels.get(labels.size() - values.length + at), values[at]));
        }
        return tags.and(more);
    }
}
