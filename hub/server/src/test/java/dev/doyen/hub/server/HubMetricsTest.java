package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorCode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the metrics of a hub at the port of its probes, with real clients. */
@Timeout(60)
final class HubMetricsTest {

    private static final String ROOM = RunningServer.CHANNEL;
    private static final int CONNECTED = 4;
    private static final int ACK = 1;
    private static final int ATTACHED = 11;
    private static final int MESSAGE = 15;

    @Test
    void the_metrics_count_clients_messages_claims_and_rejections() throws Exception {
        var claims = ClaimRegistry.open("memory:" + UUID.randomUUID(), ClaimSettings.of(Duration.ofSeconds(5), ROOM));
        try (var server = HubServer.start(
                        RunningServer.settings(SessionLimits.DEFAULT),
                        new Hub(HubSettings.defaults(), HubKeys.of(List.of(RunningServer.KEY))),
                        RunningServer.ADMIN_KEY,
                        HubPages.CLIENT_ONLY,
                        claims);
                var ann = client(server, "ann");
                var ben = client(server, "ben")) {
            InetSocketAddress probes = server.probeAddress();
            attach(ann);
            attach(ben);
            ann.send("{\"action\":14,\"channel\":\"" + ROOM
                    + "\",\"msgSerial\":0,\"presence\":[{\"action\":2,\"data\":\"leader\"}]}");
            readUntil(ann, ACK);
            ann.send("{\"action\":15,\"channel\":\"" + ROOM
                    + "\",\"msgSerial\":1,\"messages\":[{\"data\":\"hello\"},{\"data\":\"bye\"}]}");
            readUntil(ann, MESSAGE);
            readUntil(ben, MESSAGE);
            try (var guess = new RawWebSocket(server.hubAddress(), "?key=app.id:a-wrong-secret&v=4&format=json")) {
                assertThat(guess.read().text()).contains("40101");
            }

            Map<String, Double> values = scrape(probes);

            assertThat(values)
                    .containsEntry("doyen_hub_connections{socket=\"open\"}", 2.0)
                    .containsEntry("doyen_hub_connections{socket=\"none\"}", 0.0)
                    .containsEntry("doyen_hub_max_connections", 10_000.0)
                    .containsEntry("doyen_hub_channels", 1.0)
                    .containsEntry("doyen_hub_members", 1.0)
                    .containsEntry("doyen_hub_claims", 1.0)
                    .containsEntry("doyen_hub_elections", 1.0)
                    .containsEntry("doyen_hub_elections_with_leader", 1.0)
                    .containsEntry("doyen_hub_messages_received_total", 2.0)
                    .containsEntry("doyen_hub_messages_sent_total", 4.0)
                    .containsEntry("doyen_hub_refusals_total{code=\"40101\"}", 1.0)
                    .containsEntry("doyen_hub_refusals_total{code=\"40400\"}", 0.0)
                    .containsEntry("doyen_hub_failed_logins_total", 1.0)
                    .containsEntry("doyen_is_leader{election=\"" + ROOM + "\"}", 1.0)
                    .containsEntry("doyen_term{election=\"" + ROOM + "\"}", 1.0)
                    .containsEntry("doyen_transitions_total{election=\"" + ROOM + "\",reason=\"elected\"}", 1.0)
                    .containsEntry("doyen_tasks_overrun{election=\"" + ROOM + "\"}", 0.0)
                    .containsEntry("doyen_store_errors_total{operation=\"read\",kind=\"away\"}", 0.0)
                    .containsEntry("doyen_event_streams{port=\"elector\"}", 0.0)
                    .containsEntry("doyen_hub_http_connections{port=\"probes\"}", 1.0);
            assertThat(values.keySet())
                    .filteredOn(name -> name.startsWith("doyen_hub_refusals_total"))
                    .hasSize((int) Arrays.stream(ErrorCode.values())
                            .mapToInt(ErrorCode::code)
                            .distinct()
                            .count());
            assertThat(values.get("doyen_hub_http_connections{port=\"hub\"}")).isGreaterThanOrEqualTo(2);
            assertThat(values.get("doyen_hub_outbound_sent_bytes_total")).isGreaterThan(100);
            assertThat(values.get("doyen_hub_loop_lag_seconds")).isPositive();
            assertThat(values.get("doyen_hub_heap_used_bytes"))
                    .isPositive()
                    .isLessThanOrEqualTo(values.get("doyen_hub_heap_max_bytes"));
            String store = "doyen_store_duration_seconds_";
            String written = "{operation=\"compare_and_set\",outcome=\"written\"";
            assertThat(values.get(store + "count{operation=\"read\",outcome=\"answered\"}"))
                    .isPositive();
            assertThat(values.get(store + "count" + written + "}")).isPositive();
            assertThat(values)
                    .containsEntry(
                            store + "bucket" + written + ",le=\"+Inf\"}", values.get(store + "count" + written + "}"));

            ann.close();
            scrapeUntil(
                    probes,
                    seen -> seen.get("doyen_hub_connections{socket=\"none\"}") == 1
                            && seen.get("doyen_hub_connections{socket=\"open\"}") == 1);
        }
    }

    @Test
    void a_scrape_does_not_wait_for_a_hub_that_hangs() throws Exception {
        try (var server = new RunningServer();
                var client = server.connected("?format=json")) {
            client.send("{\"action\":16}");
            server.hub().nextInputOf("received");

            Map<String, Double> values = scrape(server.probeAddress());

            assertThat(values).containsEntry("doyen_hub_connections{socket=\"open\"}", 1.0);
            double first = scrapeUntil(server.probeAddress(), seen -> seen.get("doyen_hub_loop_lag_seconds") > 0)
                    .get("doyen_hub_loop_lag_seconds");
            scrapeUntil(server.probeAddress(), seen -> seen.get("doyen_hub_loop_lag_seconds") > first);
            server.hub().goOn();
        }
    }

    private static RawWebSocket client(HubServer server, String id) throws Exception {
        var socket = new RawWebSocket(
                server.hubAddress(), "?key=" + RunningServer.KEY + "&clientId=" + id + "&v=4&format=json");
        readUntil(socket, CONNECTED);
        return socket;
    }

    private static void attach(RawWebSocket socket) throws Exception {
        socket.send("{\"action\":10,\"channel\":\"" + ROOM + "\"}");
        readUntil(socket, ATTACHED);
    }

    private static void readUntil(RawWebSocket socket, int action) throws Exception {
        String frame = socket.read().text();
        while (!frame.contains("\"action\":" + action + ",") && !frame.endsWith("\"action\":" + action + "}")) {
            frame = socket.read().text();
        }
    }

    /** Scrapes again until the values fulfil the condition, because the hub's thread works at the same time. */
    private static Map<String, Double> scrapeUntil(InetSocketAddress probes, Predicate<Map<String, Double>> condition)
            throws Exception {
        Map<String, Double> values = scrape(probes);
        while (!condition.test(values)) {
            // The time limit of this class interrupts the thread.
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the condition holds in time; the last values are %s", values)
                    .isFalse();
            values = scrape(probes);
        }
        return values;
    }

    /** Returns the scraped values by name and labels. */
    private static Map<String, Double> scrape(InetSocketAddress probes) throws Exception {
        try (var socket = new RawSocket(probes)) {
            String response = socket.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .readResponse();
            assertThat(response)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("content-type: text/plain; version=0.0.4; charset=utf-8");
            return response.substring(response.indexOf("\r\n\r\n") + 4)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.lastIndexOf(' ')),
                            line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))));
        }
    }
}
