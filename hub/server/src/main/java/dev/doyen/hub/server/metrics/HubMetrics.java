package dev.doyen.hub.server.metrics;

import static dev.doyen.metrics.Metric.Type.COUNTER;
import static dev.doyen.metrics.Metric.Type.GAUGE;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.elector.metrics.MetricsWriter;
import dev.doyen.elector.metrics.MetricsWriter.Label;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.server.claims.ClaimCounts;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.server.websocket.LoopSnapshot;
import dev.doyen.metrics.Metric;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The metrics of a hub.
 *
 * <p>No method waits for the hub's thread or for the store. If the hub's thread hangs, the metrics are the
 * last counts, and the lag of the thread rises. Threads: any.
 */
public final class HubMetrics {

    private final HubLoop hub;
    private final Claims claims;
    private final TrafficCounts traffic = new TrafficCounts();
    private final Map<Port, ConnectionLimit> connections;
    private final Map<Port, IntSupplier> streams = new EnumMap<>(Port.class);

    /**
     * Creates the metrics, and counts the traffic of the hub from now on.
     *
     * @param connections the limit of the open connections of each port
     */
    public HubMetrics(HubLoop hub, Claims claims, Map<Port, ConnectionLimit> connections) {
        this.hub = hub;
        this.claims = claims;
        this.connections = new EnumMap<>(connections);
        hub.tapInto(traffic);
    }

    /** Adds the number of open event streams of a port. Call this method before the first scrape. */
    public void countStreams(Port port, IntSupplier open) {
        streams.put(port, open);
    }

    /** Returns all metrics in the text format of Prometheus. */
    public String text() {
        var text = new MetricsText();
        write(text);
        return text.toString();
    }

    /**
     * Reports the metrics through the API of OpenTelemetry, until the caller runs the returned action.
     *
     * <p>The receiver is the SDK of this JVM, for example the Java agent of OpenTelemetry. Without an SDK, or without
     * the API on the class path, this method has no effect. Call it after {@link #countStreams}.
     */
    public Runnable report() {
        try {
            return OpenTelemetryMetrics.toSdkOfJvm(this)::close;
        } catch (NoClassDefFoundError e) {
            return () -> {};
        }
    }

    /** Writes all metrics with their current values. */
    void write(MetricsWriter out) {
        LoopSnapshot loop = hub.snapshot();
        counts(out, loop.counts());
        elections(out);
        traffic(out);
        load(out, loop);
        ClaimCounts claimCounts = claims.counts();
        ElectionMetrics.write(out, claimCounts.watched());
        claims(out, claimCounts);
        claimCounts.store().write(out);
        ports(out);
    }

    private static void counts(MetricsWriter out, HubCounts counts) {
        String name = "doyen_hub_connections";
        out.describe(name, GAUGE, "connections of this node, with an open socket or without a socket");
        out.value(name, counts.sockets(), new Label("socket", "open"));
        out.value(name, counts.connections() - counts.sockets(), new Label("socket", "none"));
        out.single("doyen_hub_max_connections", GAUGE, "the maximum number of connections", counts.maxConnections());
        out.single("doyen_hub_channels", GAUGE, "channels of this node", counts.channels());
        out.single("doyen_hub_members", GAUGE, "members of all channels, on all nodes of the hub", counts.members());
    }

    private void elections(MetricsWriter out) {
        List<ElectionView> all = claims.elections().list();
        out.single("doyen_hub_elections", GAUGE, "elections that this node observes", all.size());
        out.single(
                "doyen_hub_elections_with_leader",
                GAUGE,
                "elections that this node observes and that have a leader",
                all.stream().filter(view -> view.leader().isPresent()).count());
    }

    private void traffic(MetricsWriter out) {
        out.single(
                "doyen_hub_messages_received_total",
                COUNTER,
                "messages that clients published over their sockets",
                traffic.receivedMessages());
        out.single(
                "doyen_hub_messages_sent_total",
                COUNTER,
                "messages for clients, counted once per receiver",
                traffic.sentMessages());
        String refusals = "doyen_hub_refusals_total";
        out.describe(refusals, COUNTER, "frames and requests that the hub rejected, by error code");
        traffic.forEachRefusal((code, count) -> out.value(refusals, count, new Label("code", Integer.toString(code))));
        out.single(
                "doyen_hub_failed_logins_total",
                COUNTER,
                "attempts to log in with wrong credentials",
                traffic.failedLogins());
    }

    private static void load(MetricsWriter out, LoopSnapshot loop) {
        out.single(
                "doyen_hub_outbound_queued_bytes",
                GAUGE,
                "bytes of frames that wait for the sockets of the clients",
                loop.queuedBytes());
        out.single(
                "doyen_hub_outbound_sent_bytes_total",
                COUNTER,
                "bytes of frames that the sockets of the clients have taken",
                loop.sentBytes());
        out.single(
                "doyen_hub_inputs_waiting", GAUGE, "inputs that wait for the thread of the hub", loop.inputsWaiting());
        out.single(
                "doyen_hub_loop_lag_seconds",
                GAUGE,
                "the longest wait of an input for the thread of the hub in the last 30 to 90 s",
                loop.lagNanos() / 1e9);
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        out.single("doyen_hub_heap_used_bytes", GAUGE, "used bytes of the Java heap", heap.getUsed());
        out.single("doyen_hub_heap_max_bytes", GAUGE, "the maximum size of the Java heap", heap.getMax());
    }

    private static void claims(MetricsWriter out, ClaimCounts claims) {
        out.single("doyen_hub_claims", GAUGE, "claims that clients of this node hold", claims.held());
        out.single(
                "doyen_hub_store_queue_length",
                GAUGE,
                "requests to the store that wait for a thread",
                claims.requestsWaiting());
    }

    private void ports(MetricsWriter out) {
        String open = "doyen_hub_http_connections";
        out.describe(open, GAUGE, "open connections of a port, WebSockets included");
        connections.forEach((port, limit) -> out.value(open, limit.openConnections(), new Label("port", port.label())));
        String max = "doyen_hub_max_http_connections";
        out.describe(max, GAUGE, "the maximum number of open connections of a port");
        connections.forEach((port, limit) -> out.value(max, limit.maxConnections(), new Label("port", port.label())));
        out.describe(Metric.EVENT_STREAMS);
        streams.forEach((port, count) -> out.value(Metric.EVENT_STREAMS, count.getAsInt(), port.label()));
    }
}
