package dev.doyen.elector.metrics;

import dev.doyen.metrics.Metric;
import java.util.List;

/**
 * Receives the metrics of a program, one metric after the other.
 *
 * <p>The names, labels and units follow the conventions of Prometheus: the name of a counter ends with {@code _total},
 * and a name contains the unit ({@code _seconds} or {@code _bytes}). Metrics that several programs publish are in
 * {@link Metric}. Threads: one writer is used by one thread.
 */
public interface MetricsWriter {

    /** A label of a value. */
    record Label(String name, String value) {}

    /** Begins a metric. The values that follow belong to it. */
    void describe(String name, Metric.Type type, String help);

    /** Writes one value of the metric {@code name}, which has been described. */
    void value(String name, Number value, Label... labels);

    /** Writes one histogram of the metric {@code name}, which has been described. */
    void histogram(String name, Latencies latencies, Label... labels);

    /** Writes a metric that has one value. */
    default void single(String name, Metric.Type type, String help, Number value) {
        describe(name, type, help);
        value(name, value);
    }

    /** Begins a metric that several programs publish. */
    default void describe(Metric metric) {
        describe(metric.id(), metric.type(), metric.help());
    }

    /** Writes one value of this metric, with one value for each of its labels. */
    default void value(Metric metric, Number value, String... labels) {
        value(metric.id(), value, labels(metric, labels));
    }

    /** Writes one histogram of this metric, with one value for each of its labels. */
    default void histogram(Metric metric, Latencies latencies, String... labels) {
        histogram(metric.id(), latencies, labels(metric, labels));
    }

    private static Label[] labels(Metric metric, String... values) {
        List<String> names = metric.labels();
        if (names.size() != values.length) {
            throw new IllegalArgumentException(
                    metric.id() + " has the labels " + names + ", but " + values.length + " values were given");
        }
        var labels = new Label[values.length];
        for (int at = 0; at < values.length; at++) {
            labels[at] = new Label(names.get(at), values[at]);
        }
        return labels;
    }
}
