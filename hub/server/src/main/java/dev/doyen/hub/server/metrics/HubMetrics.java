package dev.doyen.hub.server.metrics;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.server.claims.ClaimCounts;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.server.websocket.LoopSnapshot;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The metrics of a hub, for Prometheus.
 *
 * <p>{@link #text} does not wait for the hub's thread or for the store. If the hub's thread hangs, the text contains
 * the last counts, and the lag of the thread rises. Threads: any.
 */
public final class HubMetrics {

    private static final String GAUGE = "gauge";
    private static final String COUNTER = "counter";

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
        LoopSnapshot loop = hub.snapshot();
        counts(text, loop.counts());
        elections(text);
        traffic(text);
        load(text, loop);
        store(text, claims.counts());
        ports(text);
        return text.toString();
    }

    private static void counts(MetricsText text, HubCounts counts) {
        String name = "doyen_hub_connections";
        text.describe(name, GAUGE, "connections of this node, with an open socket or without a socket");
        text.value(name, "socket=\"open\"", counts.sockets());
        text.value(name, "socket=\"none\"", counts.connections() - counts.sockets());
        text.single("doyen_hub_max_connections", GAUGE, "the maximum number of connections", counts.maxConnections());
        text.single("doyen_hub_channels", GAUGE, "channels of this node", counts.channels());
        text.single("doyen_hub_members", GAUGE, "members of all channels, on all nodes of the hub", counts.members());
    }

    private void elections(MetricsText text) {
        List<ElectionView> all = claims.elections().list();
        text.single("doyen_hub_elections", GAUGE, "elections that this node observes", all.size());
        text.single(
                "doyen_hub_elections_with_leader",
                GAUGE,
                "elections that this node observes and that have a leader",
                all.stream().filter(view -> view.leader().isPresent()).count());
    }

    private void traffic(MetricsText text) {
        text.single(
                "doyen_hub_messages_received_total",
                COUNTER,
                "messages that clients published over their sockets",
                traffic.receivedMessages());
        text.single(
                "doyen_hub_messages_sent_total",
                COUNTER,
                "messages for clients, counted once per receiver",
                traffic.sentMessages());
        String refusals = "doyen_hub_refusals_total";
        text.describe(refusals, COUNTER, "frames and requests that the hub rejected, by error code");
        traffic.forEachRefusal((code, count) -> text.value(refusals, "code=\"" + code + "\"", count));
        text.single(
                "doyen_hub_failed_logins_total",
                COUNTER,
                "attempts to log in with wrong credentials",
                traffic.failedLogins());
    }

    private static void load(MetricsText text, LoopSnapshot loop) {
        text.single(
                "doyen_hub_outbound_queued_bytes",
                GAUGE,
                "bytes of frames that wait for the sockets of the clients",
                loop.queuedBytes());
        text.single(
                "doyen_hub_outbound_sent_bytes_total",
                COUNTER,
                "bytes of frames that the sockets of the clients have taken",
                loop.sentBytes());
        text.single(
                "doyen_hub_inputs_waiting", GAUGE, "inputs that wait for the thread of the hub", loop.inputsWaiting());
        text.single(
                "doyen_hub_loop_lag_seconds",
                GAUGE,
                "the longest time that an input waited for the thread of the hub, within the last minute",
                loop.lagNanos() / 1e9);
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        text.single("doyen_hub_heap_used_bytes", GAUGE, "used bytes of the Java heap", heap.getUsed());
        text.single("doyen_hub_heap_max_bytes", GAUGE, "the maximum size of the Java heap", heap.getMax());
    }

    private static void store(MetricsText text, ClaimCounts claims) {
        text.single("doyen_hub_claims", GAUGE, "claims that clients of this node hold", claims.held());
        text.single(
                "doyen_hub_store_queue_length",
                GAUGE,
                "requests to the store that wait for a thread",
                claims.requestsWaiting());
        String name = "doyen_hub_store_duration_seconds";
        text.describe(name, "histogram", "time until the store answered a request");
        text.histogram(name, "operation=\"read\"", claims.reads());
        text.histogram(name, "operation=\"compare_and_set\"", claims.writes());
        text.single(
                "doyen_hub_store_failures_total",
                COUNTER,
                "requests to the store without a usable answer",
                claims.failures());
    }

    private void ports(MetricsText text) {
        String open = "doyen_hub_http_connections";
        text.describe(open, GAUGE, "open connections of a port, WebSockets included");
        connections.forEach((port, limit) -> text.value(open, label(port), limit.openConnections()));
        String max = "doyen_hub_max_http_connections";
        text.describe(max, GAUGE, "the maximum number of open connections of a port");
        connections.forEach((port, limit) -> text.value(max, label(port), limit.maxConnections()));
        String name = "doyen_hub_event_streams";
        text.describe(name, GAUGE, "open event streams of a port");
        streams.forEach((port, count) -> text.value(name, label(port), count.getAsInt()));
    }

    private static String label(Port port) {
        return "port=\"" + port.name().toLowerCase(Locale.ROOT) + "\"";
    }
}
