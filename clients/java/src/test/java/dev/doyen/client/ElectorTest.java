package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.client.state.Answer;
import dev.doyen.client.state.WhenUnknown;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ElectorTest {

    private static StandIn standIn;

    @BeforeAll
    static void start() throws Exception {
        standIn = new StandIn();
    }

    @AfterAll
    static void stop() throws Exception {
        standIn.close();
    }

    @Test
    void the_app_leads_if_the_elector_names_it() throws Exception {
        String url =
                standIn.on("/", StandIn.body(200, "X-Fencing-Token: 8", "{\"name\":\"pod-1\",\"last_update\":\"\"}"));

        assertThat(Elector.at(url).name("pod-1").build().isLeader()).isTrue();
        assertThat(Elector.at(url).name("pod-2").build().isLeader()).isFalse();
        assertThat(Elector.at(url).name("pod-1").build().ask())
                .isEqualTo(new Answer(Optional.of("pod-1"), OptionalLong.of(8)));
    }

    @Test
    void an_elector_without_a_known_leader_gives_no_answer() {
        standIn.on("/", StandIn.body(200, "{}"));

        assertThatThrownBy(() -> elector().ask())
                .isInstanceOf(ElectorUnavailableException.class)
                .hasMessageContaining("it has not received a leader yet");
    }

    @Test
    void the_app_does_not_lead_without_an_answer() throws Exception {
        standIn.on("/", (request, out) -> standIn.hold());
        assertThat(elector().isLeader()).isFalse();
        assertThatThrownBy(() -> elector().ask()).hasMessageMatching(".* names no leader: no answer .*");
        standIn.on("/", (request, out) -> {
            StandIn.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"name\":\"pod-1\"");
            standIn.hold();
        });
        assertThat(elector().isLeader()).as("an endless body is no answer").isFalse();
        standIn.on("/", (request, out) -> {});
        assertThat(elector().isLeader()).as("a closed connection is no answer").isFalse();
        standIn.on("/", StandIn.body(503, "{\"name\":\"pod-1\",\"last_update\":\"\"}"));
        assertThatThrownBy(() -> elector().ask()).hasMessageContaining("status is 503 where 200 was expected");
        standIn.on("/", StandIn.body(200, "<html>pod-1</html>"));
        assertThatThrownBy(() -> elector().ask()).hasMessageContaining("not the answer of an elector, at character 0");
        standIn.on("/", StandIn.body(200, "x".repeat(Question.MAX_LENGTH + 1)));
        assertThatThrownBy(() -> elector().ask()).hasMessageContaining("longer than 65536 bytes");
    }

    @Test
    void with_lead_the_app_continues_to_lead_without_an_answer() {
        Elector keeps = Elector.at(standIn.on("/", StandIn.body(503, "")))
                .name("pod-1")
                .whenUnknown(WhenUnknown.KEEP)
                .build();
        assertThat(keeps.isLeader()).as("the app has never received an answer").isFalse();
        standIn.on("/", StandIn.body(200, "{\"name\":\"pod-1\"}"));
        assertThat(keeps.isLeader()).isTrue();
        Elector follows = elector();
        assertThat(follows.isLeader()).isTrue();
        standIn.on("/", StandIn.body(503, ""));
        assertThat(keeps.isLeader()).isTrue();
        assertThat(follows.isLeader()).isFalse();
        standIn.on("/", StandIn.body(200, "{\"name\":\"pod-2\"}"));
        assertThat(keeps.isLeader()).isFalse();
        standIn.on("/", StandIn.body(503, ""));
        assertThat(keeps.isLeader()).isFalse();
    }

    @Test
    void a_redirect_is_not_followed() {
        var requests = new AtomicInteger();
        standIn.on("/elsewhere", (request, out) -> requests.incrementAndGet());
        standIn.on("/", StandIn.body(302, "Location: /elsewhere", ""));

        assertThat(elector().isLeader()).isFalse();
        assertThat(requests).hasValue(0);
    }

    @Test
    void addresses_come_from_the_environment_with_or_without_a_scheme() {
        assertThat(Addresses.of(Map.of("ELECTOR_GET_URL", "localhost:4040", "ELECTOR_SSE_URL", "http://h:1/sse")))
                .isEqualTo(new Addresses(
                        Optional.of(URI.create("http://localhost:4040")), Optional.of(URI.create("http://h:1/sse"))));
        assertThat(Addresses.of(Map.of("ELECTOR_PATH", "localhost:4040")).question())
                .contains(URI.create("http://localhost:4040"));
        assertThat(Addresses.of(Map.of("ELECTOR_PATH", "old:1", "ELECTOR_GET_URL", "https://new/"))
                        .question())
                .contains(URI.create("https://new/"));
        Elector collected = Elector.builderFrom(Map.of("ELECTOR_GET_URL", "localhost:4040"))
                .name("me")
                .maxAge(Duration.ofSeconds(7))
                .build();
        assertThat(collected.maxAge()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void an_election_has_its_own_addresses() {
        assertThat(Addresses.at("localhost:4040", "a b/c"))
                .isEqualTo(new Addresses(
                        Optional.of(URI.create("http://localhost:4040/v1/elections/a%20b%2Fc")),
                        Optional.of(URI.create("http://localhost:4040/v1/elections/a%20b%2Fc/events"))));
    }

    @Test
    void the_heartbeat_is_a_fifth_of_the_maximum_age_unless_it_is_set() {
        Duration age = Duration.ofSeconds(20);
        assertThat(Addresses.withHeartbeat(URI.create("http://h/sse"), age)).hasToString("http://h/sse?heartbeat=4s");
        assertThat(Addresses.withHeartbeat(URI.create("http://h/sse?a=b#c"), Duration.ofSeconds(2)))
                .hasToString("http://h/sse?a=b&heartbeat=1s");
        assertThat(Addresses.withHeartbeat(URI.create("http://h/sse?heartbeat=9s"), age))
                .hasToString("http://h/sse?heartbeat=9s");
    }

    @Test
    void the_name_is_that_of_the_pod_or_the_host() throws Exception {
        assertThat(OwnName.find(Map.of("HOSTNAME", "pod-1"))).isEqualTo("pod-1");
        assertThat(OwnName.find(Map.of()))
                .isEqualTo(java.net.InetAddress.getLocalHost().getHostName());
    }

    @Test
    void invalid_settings_are_rejected_with_a_sentence() {
        var builder = Elector.at("localhost:1").name("me");
        assertThatThrownBy(() -> builder.name(" ")).hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> builder.timeout(Duration.ofMillis(9)))
                .hasMessage("timeout (9 ms) must be from 10 ms to 60000 ms");
        assertThatThrownBy(() -> builder.maxAge(Duration.ofSeconds(1)))
                .hasMessage("maxAge (1000 ms) must be from 2000 ms to 600000 ms");
        assertThatThrownBy(() -> builder.timeout(Duration.ofSeconds(6)).build())
                .hasMessage("timeout (6000 ms) must be at most maxAge (5000 ms); lower timeout");
    }

    private static Elector elector() {
        return Elector.at(standIn.on("/unused", StandIn.body(404, "")).replace("/unused", "/"))
                .name("pod-1")
                .timeout(Duration.ofSeconds(2))
                .build();
    }
}
