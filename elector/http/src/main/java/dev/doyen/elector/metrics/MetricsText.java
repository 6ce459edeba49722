package dev.doyen.elector.metrics;

import dev.doyen.metrics.Metric;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Writes the metrics of a program in the Prometheus text format, version 0.0.4.
 *
 * <p>The class uses no client library, because such a library would contain more classes than the sidecar.
 */
public final class MetricsText implements MetricsWriter {

    private final StringBuilder text = new StringBuilder();

    /** Writes the HELP and TYPE lines of a metric. */
    @Override
    public void describe(String name, Metric.Type type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ');
        text.append(type.name().toLowerCase(Locale.ROOT)).append('\n');
    }

    @Override
    public void value(String name, Number value, Label... labels) {
        var all = new StringJoiner(",", "{", "}").setEmptyValue("");
        for (var label : labels) {
            all.add(label.name() + "=\"" + escaped(label.value()) + '"');
        }
        text.append(name).append(all).append(' ').append(value).append('\n');
    }

    @Override
    public void histogram(String name, Latencies latencies, Label... labels) {
        var more = Arrays.copyOf(labels, labels.length + 1);
        var within = latencies.within();
        for (int at = 0; at < within.size(); at++) {
            more[labels.length] = new Label("le", Metric.BOUNDS_SECONDS.get(at).toString());
            value(name + "_bucket", within.get(at), more);
        }
        more[labels.length] = new Label("le", "+Inf");
        value(name + "_bucket", latencies.count(), more);
        value(name + "_sum", latencies.sumNanos() / 1e9, labels);
        value(name + "_count", latencies.count(), labels);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
