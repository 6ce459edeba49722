package dev.doyen.demo.quorum.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.demo.DemoRequests;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of the quorum demonstration over real sockets, and its protection from foreign pages. */
@Timeout(180)
class QuorumOverHttpTest {

    @AutoClose
    private final DemoRequests demo = new DemoRequests();

    QuorumOverHttpTest() throws Exception {}

    @Test
    void nothing_runs_before_somebody_starts_it() throws Exception {
        var stream = demo.stream("/quorum/events");
        assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("data: {").contains("\"started\":false", "\"members\":[]");
        }

        var answer = demo.post("/quorum/v1/kill/1", demo.origin());
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("the members are not started yet; start them first");
    }

    @Test
    void only_the_page_itself_may_act() throws Exception {
        for (String foreign : new @Nullable String[] {null, "https://evil.example", "http://localhost:1", "null"}) {
            var answer = demo.post("/quorum/v1/start", foreign);
            assertThat(answer.statusCode()).as("origin " + foreign).isEqualTo(403);
            assertThat(answer.body()).contains("only for the demonstration's own page");
        }
        assertThat(demo.get("/quorum/v1/start").statusCode())
                .as("a GET starts nothing")
                .isEqualTo(404);
        assertThat(demo.pages().quorum().orElseThrow())
                .satisfies(running -> assertThat(
                                new PageVisitor(running).state().path("started").asBoolean())
                        .isFalse());
    }

    /** A domain name may resolve to this machine. The origin of its page is still that name. */
    @Test
    void a_foreign_name_of_this_machine_sees_nothing_and_may_not_act() throws Exception {
        assertThat(demo.statusLine("GET /quorum/events HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n"))
                .contains(" 421 ");
        assertThat(demo.statusLine("POST /quorum/v1/start HTTP/1.1\r\nHost: evil.example:8000\r\nOrigin:"
                        + " http://evil.example:8000\r\nContent-Length: 0\r\n\r\n"))
                .contains(" 403 ");
    }

    @Test
    void an_action_that_there_is_not_is_refused() throws Exception {
        for (String path :
                new String[] {"explode/1", "kill", "kill/x", "kill/1/2", "kill/99999", "start/1", "", "KILL/1"}) {
            assertThat(demo.post("/quorum/v1/" + path, demo.origin()).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(demo.post("/quorum/", demo.origin()).statusCode()).isEqualTo(405);
    }
}
