package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.client.state.Role;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests an elector that cannot be reached, over real sockets, and missing and malformed addresses. */
class OutageTest {

    private static final String ME = "{\"name\":\"me\",\"last_update\":\"\"}";
    private static final String REMEDY = "; check the address and that the elector runs";

    private StandIn standIn;

    @BeforeEach
    void start() throws Exception {
        standIn = new StandIn();
    }

    @AfterEach
    void stop() throws Exception {
        standIn.close();
    }

    @Test
    void isLeader_logs_an_outage_once_and_its_end_once() throws Exception {
        Map<String, StandIn.Reply> failures = new LinkedHashMap<>();
        failures.put("its status is 401 where 200 was expected", StandIn.body(401, ""));
        failures.put("its status is 403 where 200 was expected", StandIn.body(403, ""));
        failures.put("its status is 404 where 200 was expected", StandIn.body(404, ""));
        failures.put("not the answer of an elector, at character 0: .*", StandIn.body(200, "<html>"));
        failures.put(".+", (request, out) -> {});
        for (Map.Entry<String, StandIn.Reply> each : failures.entrySet()) {
            String url = standIn.on("/", each.getValue());
            Elector elector = at(url);
            try (var log = new RecordedLog(Elector.class)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(elector.isLeader()).isFalse();
                }
                assertThat(log.rest())
                        .singleElement()
                        .asString()
                        .matches("WARNING the elector at " + url + " names no leader: " + each.getKey() + REMEDY);
                standIn.on("/", StandIn.body(200, ME));
                for (int i = 0; i < 3; i++) {
                    assertThat(elector.isLeader()).isTrue();
                }
                assertThat(log.rest()).containsExactly("INFO the elector at " + url + " answers again");
                standIn.on("/", each.getValue());
                assertThat(elector.isLeader()).isFalse();
                assertThat(log.rest()).hasSize(1);
            }
        }
    }

    @Test
    void isLeader_logs_no_outage_if_the_elector_has_not_found_a_leader_yet() throws Exception {
        String url = standIn.on("/", StandIn.body(200, "{}"));
        Elector elector = at(url);
        try (var log = new RecordedLog(Elector.class)) {
            assertThat(elector.isLeader()).isFalse();
            assertThat(log.rest()).isEmpty();
            standIn.on("/", StandIn.body(503, ""));
            assertThat(elector.isLeader()).isFalse();
            assertThat(log.rest()).hasSize(1);
            standIn.on("/", StandIn.body(200, "{}"));
            assertThat(elector.isLeader()).isFalse();
            assertThat(log.rest()).containsExactly("INFO the elector at " + url + " answers again");
        }
    }

    @Test
    void an_address_at_which_nothing_listens_is_logged_with_a_reason() throws Exception {
        String url = nowhere();
        try (var log = new RecordedLog(Elector.class)) {
            assertThat(at(url).isLeader()).isFalse();
            assertThat(log.rest())
                    .containsExactly("WARNING the elector at " + url
                            + " names no leader: nothing accepts connections at this address" + REMEDY);
        }
        try (var log = new RecordedLog(LeaderWatch.class);
                LeaderWatch watch = at(url).watch()) {
            assertThat(log.next())
                    .isEqualTo("WARNING url=" + url + "sse?heartbeat=12s gave no valid answer:"
                            + " nothing accepts connections at this address" + REMEDY + "; trying again");
            assertThat(watch.isLeader()).isFalse();
        }
    }

    @Test
    void a_watch_logs_an_outage_at_its_first_failure_and_its_end_once() throws Exception {
        var logged = new CountDownLatch(1);
        var requests = new Semaphore(0);
        var opened = new AtomicInteger();
        String url = standIn.on("/", StandIn.body(503, ""));
        standIn.on("/sse", (request, out) -> {
            requests.release();
            if (opened.incrementAndGet() > 1) {
                logged.await();
            }
            StandIn.body(503, "").to(request, out);
        });
        var received = new RecordedStates();
        try (var log = new RecordedLog(LeaderWatch.class);
                LeaderWatch watch = at(url).watch()) {
            watch.listen(received);
            assertThat(log.next()).contains("status 503");
            logged.countDown();
            assertThat(requests.tryAcquire(3, 60, TimeUnit.SECONDS)).isTrue();
            assertThat(log.rest())
                    .as("a retry that fails belongs to the same outage")
                    .isEmpty();
            var end = new CountDownLatch(1);
            standIn.on("/sse", (request, out) -> {
                StandIn.streamHead(out);
                StandIn.chunk(out, "data: " + ME + "\n\n");
                end.await();
            });
            assertThat(log.next()).isEqualTo("INFO url=" + url + "sse?heartbeat=12s answers again");
            received.until(Role.LEADING);
            end.countDown();
            assertThat(log.next()).startsWith("WARNING url=" + url + "sse?heartbeat=12s gave no valid answer: ");
        }
    }

    @Test
    void a_malformed_address_is_rejected_with_its_name_and_its_value() {
        String remedy = " is not the address of an elector; write it like http://localhost:4040/";
        for (String bad : new String[] {"", "ftp://x", "http://", "/sse", "http://[", "localhost:99999", "a b"}) {
            assertThatThrownBy(() -> Elector.at(bad)).hasMessage("url (\"" + bad + "\")" + remedy);
            assertThatThrownBy(() -> Elector.at(bad, "orders")).hasMessage("url (\"" + bad + "\")" + remedy);
        }
        for (String variable : new String[] {"ELECTOR_GET_URL", "ELECTOR_SSE_URL", "ELECTOR_PATH"}) {
            assertThatThrownBy(() -> Elector.builderFrom(Map.of(variable, "ftp://x")))
                    .hasMessage(variable + " (\"ftp://x\")" + remedy);
        }
    }

    @Test
    void a_missing_address_is_rejected_with_the_reason_and_the_remedy() {
        String remedy = "; run the elector's sidecar in this pod, or set ELECTOR_GET_URL to the elector's address, like"
                + " http://localhost:4040/";
        assertThatThrownBy(() -> Elector.builderFrom(Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the address of the elector is unknown, because ELECTOR_GET_URL is not set" + remedy);
        assertThatThrownBy(() -> Elector.builderFrom(Map.of("ELECTOR_GET_URL", " ")))
                .hasMessage("the address of the elector is unknown, because ELECTOR_GET_URL is empty" + remedy);
    }

    /** Returns a client whose timeouts are so long that they do not affect the tests. */
    private static Elector at(String url) {
        return Elector.at(url)
                .name("me")
                .timeout(Duration.ofMinutes(1))
                .maxAge(Duration.ofMinutes(1))
                .build();
    }

    private static String nowhere() throws Exception {
        try (var server = new ServerSocket(0)) {
            return "http://localhost:" + server.getLocalPort() + "/";
        }
    }
}
