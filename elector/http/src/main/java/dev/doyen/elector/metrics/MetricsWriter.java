package dev.doyen.elector.metrics;

/**
 * Receives the metrics of a program, one metric after the other.
 *
 * <p>Most names, labels and units follow the conventions of Prometheus: the name of a counter ends with {@code _total},
 * and a name contains the unit ({@code _seconds} or {@code _bytes}). Threads: one writer is used by one thread.
 */
public interface MetricsWriter {

    /** The type of a metric, as Prometheus defines it. */
    enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM
    }

    /** A label of a value. */
    record Label(String name, String value) {}

    /** Begins a metric. The values that follow belong to it. */
    void describe(String name, Type type, String help);

    /** Writes one value of the metric {@code name}, which has been described. */
    void value(String name, Number value, Label... labels);

    /** Writes one histogram of the metric {@code name}, which has been described. */
    void histogram(String name, Tally.Latencies latencies, Label... labels);

    /** Writes a metric that has one value. */
    default void single(String name, Type type, String help, Number value) {
        describe(name, type, help);
        value(name, value);
    }
}
