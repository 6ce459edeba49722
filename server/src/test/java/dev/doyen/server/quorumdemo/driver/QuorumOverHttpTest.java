package dev.doyen.server.quorumdemo.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.server.RawSocket;
import dev.doyen.server.RunningServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of the quorum demonstration over real sockets, and its protection from foreign pages. */
@Timeout(180)
class QuorumOverHttpTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private RunningServer server;

    @BeforeEach
    void start() throws Exception {
        server = new RunningServer();
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void nothing_runs_before_somebody_starts_it() throws Exception {
        var stream = http.send(HttpRequest.newBuilder(uri("/quorum/events")).build(), BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("data: {").contains("\"started\":false", "\"members\":[]");
        }

        var answer = post("/quorum/v1/kill/1", origin());
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("the members are not started yet; start them first");
    }

    @Test
    void only_the_page_itself_may_act() throws Exception {
        for (String foreign : new @Nullable String[] {null, "https://evil.example", "http://localhost:1", "null"}) {
            var answer = post("/quorum/v1/start", foreign);
            assertThat(answer.statusCode()).as("origin " + foreign).isEqualTo(403);
            assertThat(answer.body()).contains("only for the demonstration's own page");
        }
        assertThat(get("/quorum/v1/start").statusCode())
                .as("a GET starts nothing")
                .isEqualTo(404);
        assertThat(server.server().quorum().orElseThrow())
                .satisfies(demo -> assertThat(
                                new Walk(demo).state().path("started").asBoolean())
                        .isFalse());
    }

    /** A domain name may resolve to this machine. The origin of its page is still that name. */
    @Test
    void a_foreign_name_of_this_machine_sees_nothing_and_may_not_act() throws Exception {
        assertThat(statusLine("GET /quorum/events HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n"))
                .contains(" 421 ");
        assertThat(statusLine("POST /quorum/v1/start HTTP/1.1\r\nHost: evil.example:8000\r\nOrigin:"
                        + " http://evil.example:8000\r\nContent-Length: 0\r\n\r\n"))
                .contains(" 403 ");
    }

    @Test
    void an_action_that_there_is_not_is_refused() throws Exception {
        for (String path :
                new String[] {"explode/1", "kill", "kill/x", "kill/1/2", "kill/99999", "start/1", "", "KILL/1"}) {
            assertThat(post("/quorum/v1/" + path, origin()).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(post("/quorum/", origin()).statusCode()).isEqualTo(405);
    }

    private String statusLine(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send(request);
            return socket.readThrough("\r\n");
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, @Nullable String origin) throws Exception {
        var request = HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.noBody());
        if (origin != null) {
            request.header("Origin", origin);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String origin() {
        return "http://127.0.0.1:" + server.hubAddress().getPort();
    }

    private URI uri(String path) {
        return URI.create(origin() + path);
    }
}
