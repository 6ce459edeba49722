package dev.doyen.demo.quorum.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.demo.DemoRequests;
import dev.doyen.hub.server.RunningServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the page of the quorum demonstration over real sockets, and its protection from foreign pages. */
@Timeout(180)
class QuorumOverHttpTest {

    @AutoClose
    private final DemoRequests demo = new DemoRequests();

    QuorumOverHttpTest() throws Exception {}

    @Test
    void no_process_runs_before_the_first_start() throws Exception {
        var stream = demo.stream("/quorum/events");
        assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("data: {").contains("\"started\":false", "\"members\":[]");
        }

        var answer = demo.post("/quorum/v1/kill/1", RunningServer.ADMIN);
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("the members have not been started; start them first");
    }

    @Test
    void an_action_needs_the_admin_key() throws Exception {
        for (String authorization : new @Nullable String[] {null, "", "Bearer", "Bearer " + "x".repeat(26)}) {
            var answer = demo.post("/quorum/v1/start", authorization);
            assertThat(answer.statusCode()).as(authorization).isEqualTo(403);
            assertThat(answer.body()).contains("needs the admin key");
        }
        assertThat(demo.get("/quorum/v1/start").statusCode())
                .as("a GET request starts no process")
                .isEqualTo(404);
        assertThat(demo.pages().quorum().orElseThrow())
                .satisfies(running -> assertThat(
                                new PageVisitor(running).state().path("started").asBoolean())
                        .isFalse());
    }

    /**
     * A foreign domain name can resolve to this machine. So a page of that domain can send requests to this server with
     * the foreign name as {@code Host}.
     */
    @Test
    void a_foreign_host_name_of_this_machine_can_neither_read_nor_act() throws Exception {
        assertThat(demo.statusLine("GET /quorum/events HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n"))
                .contains(" 421 ");
        assertThat(demo.statusLine(
                        "GET /quorum/events HTTP/1.1\r\nHost: localhost:8000\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"))
                .as("a request that a proxy forwards is rejected")
                .contains(" 421 ");
        assertThat(demo.statusLine("POST /quorum/v1/start HTTP/1.1\r\nHost: evil.example:8000\r\nOrigin:"
                        + " http://evil.example:8000\r\nContent-Length: 0\r\n\r\n"))
                .contains(" 403 ");
    }

    @Test
    void an_unknown_action_is_rejected() throws Exception {
        for (String path :
                new String[] {"explode/1", "kill", "kill/x", "kill/1/2", "kill/99999", "start/1", "", "KILL/1"}) {
            assertThat(demo.post("/quorum/v1/" + path, RunningServer.ADMIN).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(demo.post("/quorum/", RunningServer.ADMIN).statusCode()).isEqualTo(405);
    }
}
