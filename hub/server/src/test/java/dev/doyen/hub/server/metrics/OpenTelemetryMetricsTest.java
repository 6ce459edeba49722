package dev.doyen.hub.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.FrameCodec;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the metrics that the official SDK of OpenTelemetry receives. */
final class OpenTelemetryMetricsTest {

    private static final AttributeKey<String> PORT = AttributeKey.stringKey("port");

    private final ClaimRegistry claims;
    private final HubLoop hub;
    private final HubMetrics metrics;
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();

    OpenTelemetryMetricsTest() throws Exception {
        claims = ClaimRegistry.open("memory:" + UUID.randomUUID(), ClaimSettings.of(Duration.ofSeconds(5), "orders"));
        var keys = HubKeys.of(List.of("app.id:a-secret-of-the-test"));
        hub = new HubLoop(new Hub(HubSettings.defaults(), keys), new FrameCodec(65_536), claims);
        metrics = new HubMetrics(hub, claims, Map.of(Port.HUB, new ConnectionLimit(7, AddressLimits.DEFAULT)));
        metrics.countStreams(Port.ELECTOR, () -> 3);
    }

    @AfterEach
    void close() {
        sdk.close();
        hub.stop();
        claims.close();
    }

    @Test
    void the_sdk_receives_each_metric_with_its_type_unit_and_labels() {
        new OpenTelemetryMetrics(sdk, metrics);

        Map<String, MetricData> received = collect();

        MetricData max = received.get("doyen.hub.max.http.connections");
        assertThat(max.getType()).isEqualTo(MetricDataType.DOUBLE_GAUGE);
        assertThat(max.getDescription()).isEqualTo("the maximum number of open connections of a port");
        assertThat(values(max)).isEqualTo(Map.of(Attributes.of(PORT, "hub"), 7.0));
        assertThat(values(received.get("doyen.event.streams"))).isEqualTo(Map.of(Attributes.of(PORT, "elector"), 3.0));

        MetricData sent = received.get("doyen.hub.outbound.sent");
        assertThat(sent.getType()).isEqualTo(MetricDataType.DOUBLE_SUM);
        assertThat(sent.getUnit()).isEqualTo("By");
        assertThat(received.get("doyen.hub.loop.lag").getUnit()).isEqualTo("s");
        assertThat(received.get("doyen.store.duration.sum").getUnit()).isEqualTo("s");
        assertThat(values(received.get("doyen.store.duration.count"))).hasSize(6);
    }

    @Test
    void the_sdk_receives_as_many_metrics_as_prometheus() {
        new OpenTelemetryMetrics(sdk, metrics);
        long described =
                metrics.text().lines().filter(line -> line.startsWith("# TYPE")).count();
        assertThat(collect()).as("a histogram becomes two counters").hasSize((int) described + 2);
    }

    @Test
    void after_close_the_sdk_receives_nothing() {
        new OpenTelemetryMetrics(sdk, metrics).close();
        assertThat(collect()).isEmpty();
    }

    private Map<String, MetricData> collect() {
        return reader.collectAllMetrics().stream().collect(Collectors.toMap(MetricData::getName, Function.identity()));
    }

    private static Map<Attributes, Double> values(MetricData metric) {
        return metric.getData().getPoints().stream()
                .collect(Collectors.toMap(
                        point -> point.getAttributes(), point -> ((DoublePointData) point).getValue()));
    }
}
