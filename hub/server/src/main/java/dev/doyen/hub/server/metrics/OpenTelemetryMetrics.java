package dev.doyen.hub.server.metrics;

import dev.doyen.elector.metrics.Latencies;
import dev.doyen.elector.metrics.MetricsWriter;
import dev.doyen.metrics.Metric;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Reports the metrics of a hub through the API of OpenTelemetry.
 *
 * <p>The names have dots instead of underscores, and contain neither the unit nor {@code _total}:
 * {@code doyen_hub_outbound_sent_bytes_total} is {@code doyen.hub.outbound.sent} with the unit {@code By}. The API has
 * no histogram that a callback can write. So a histogram becomes two counters, whose names end with {@code .count} and
 * {@code .sum}. Threads: a thread of the SDK calls {@link HubMetrics}.
 */
final class OpenTelemetryMetrics {

    private static final String SCOPE = "dev.doyen.hub";
    private static final String COUNT = ".count";
    private static final String SUM = ".sum";

    private final Map<String, ObservableDoubleMeasurement> instruments = new LinkedHashMap<>();
    private final BatchCallback callback;

    OpenTelemetryMetrics(OpenTelemetry telemetry, HubMetrics metrics) {
        Meter meter = telemetry.getMeter(SCOPE);
        metrics.write(new Instruments(meter));
        var all = instruments.values().toArray(new ObservableMeasurement[0]);
        var others = Arrays.copyOfRange(all, 1, all.length);
        callback = meter.batchCallback(() -> metrics.write(new Observation()), all[0], others);
    }

    /** Reports the metrics to the SDK of this JVM. Without an SDK, the API discards them. */
    static OpenTelemetryMetrics toSdkOfJvm(HubMetrics metrics) {
        return new OpenTelemetryMetrics(GlobalOpenTelemetry.get(), metrics);
    }

    /** Stops the reports. */
    void close() {
        callback.close();
    }

    /** Creates an instrument for each metric. */
    private final class Instruments implements MetricsWriter {

        private final Meter meter;

        Instruments(Meter meter) {
            this.meter = meter;
        }

        @Override
        public void describe(String name, Metric.Type type, String help) {
            var instrument = Instrument.of(name);
            switch (type) {
                case GAUGE ->
                    instruments.put(
                            name,
                            meter.gaugeBuilder(instrument.name())
                                    .setUnit(instrument.unit())
                                    .setDescription(help)
                                    .buildObserver());
                case COUNTER -> instruments.put(name, counter(instrument.name(), instrument.unit(), help));
                case HISTOGRAM -> {
                    instruments.put(name + COUNT, counter(instrument.name() + COUNT, "1", "number: " + help));
                    instruments.put(name + SUM, counter(instrument.name() + SUM, instrument.unit(), "sum: " + help));
                }
            }
        }

        private ObservableDoubleMeasurement counter(String name, String unit, String help) {
            return meter.counterBuilder(name)
                    .ofDoubles()
                    .setUnit(unit)
                    .setDescription(help)
                    .buildObserver();
        }

        @Override
        public void value(String name, Number value, Label... labels) {
            // An instrument has no value before the SDK asks for one.
        }

        @Override
        public void histogram(String name, Latencies latencies, Label... labels) {
            // An instrument has no value before the SDK asks for one.
        }
    }

    /** Reports the current value of each metric to the SDK. */
    private final class Observation implements MetricsWriter {

        @Override
        public void describe(String name, Metric.Type type, String help) {
            // The instruments exist already.
        }

        @Override
        public void value(String name, Number value, Label... labels) {
            Objects.requireNonNull(instruments.get(name), name).record(value.doubleValue(), attributes(labels));
        }

        @Override
        public void histogram(String name, Latencies latencies, Label... labels) {
            value(name + COUNT, latencies.count(), labels);
            value(name + SUM, latencies.sumNanos() / 1e9, labels);
        }

        private static Attributes attributes(Label... labels) {
            AttributesBuilder attributes = Attributes.builder();
            for (var label : labels) {
                attributes.put(label.name(), label.value());
            }
            return attributes.build();
        }
    }

    /**
     * The name and the unit of an instrument.
     *
     * @param unit the unit in the notation of UCUM
     */
    private record Instrument(String name, String unit) {

        /** Returns the instrument for this name of Prometheus. */
        static Instrument of(String name) {
            String shorter = without("_total", name);
            for (var unit : Map.of("_seconds", "s", "_bytes", "By").entrySet()) {
                if (shorter.endsWith(unit.getKey())) {
                    return new Instrument(without(unit.getKey(), shorter).replace('_', '.'), unit.getValue());
                }
            }
            return new Instrument(shorter.replace('_', '.'), "1");
        }

        private static String without(String suffix, String name) {
            return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
        }
    }
}
