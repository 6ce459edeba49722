package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.event.LossCause;
import dev.doyen.hub.step.Claimant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ElectorOverHttpTest {

    private static final Claimant ANNA = new Claimant("counter", "anna", "c1");
    private static final String LED = "{\"name\":\"anna\",\"last_update\":\"2026-11-21T08:00:00Z\"}";
    private static final String UNLED = "{\"name\":\"\",\"last_update\":\"2026-11-21T08:00:00Z\"}";
    private final RunningServer server;

    ElectorOverHttpTest() throws Exception {
        server = new RunningServer();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void root_answers_any_method_and_path_with_the_leader() throws Exception {
        server.claims().claim(ANNA);

        for (var request : new String[] {"GET /", "POST /", "DELETE /some/path?x=%zz"}) {
            assertThat(answerTo(request))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: application/json\r\n", "Cache-Control: no-cache\r\n")
                    .contains("X-Fencing-Token: 1\r\n")
                    .endsWith("\r\n\r\n" + LED);
        }
    }

    @Test
    void errors_under_v1_are_problems() throws Exception {
        assertThat(answerTo("GET /v1/elections/none"))
                .startsWith("HTTP/1.1 404 ")
                .contains("Content-Type: application/problem+json\r\n");
    }

    @Test
    void a_client_with_a_huge_body_can_read_the_rejection() throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            var body = "x".repeat(8 * 1024 * 1024);
            socket.send("PUT /v1/elections/e/state HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                    + "\r\n\r\n");
            socket.send(body + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(socket.readAll())
                    .startsWith("HTTP/1.1 413 Request Entity Too Large\r\n")
                    .contains("Content-Type: application/problem+json\r\n")
                    .containsOnlyOnce("HTTP/1.1")
                    .contains("longer than 65536 bytes");
        }
    }

    @Test
    void sse_sends_the_leader_at_once_and_at_each_change() throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(socket.readThrough("\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: text/event-stream\r\n")
                    .containsIgnoringCase("transfer-encoding: chunked");
            assertThat(chunk(socket)).isEqualTo("data: " + UNLED + "\n\n");

            server.claims().claim(ANNA);
            assertThat(chunk(socket)).isEqualTo("data: " + LED + "\n\n");
            server.claims().lose("counter", LossCause.EXPIRED);
            assertThat(chunk(socket)).isEqualTo("data: " + UNLED + "\n\n");
        }
    }

    @Test
    void a_reader_of_http_1_0_gets_the_stream_without_chunks() throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("GET /sse HTTP/1.0\r\n\r\n");

            assertThat(socket.readThrough("\n\n")).endsWith("\r\n\r\ndata: " + UNLED + "\n\n");
        }
    }

    @Test
    void a_foreign_page_whose_name_resolves_to_this_machine_reads_no_leader() throws Exception {
        server.claims().claim(ANNA);
        for (var path : new String[] {"/sse", "/isLeader?id=anna", "/v1/elections/counter"}) {
            assertThat(answerTo(path, "evil.example:4040")).as(path).startsWith("HTTP/1.1 421 ");
        }
        assertThat(answerTo("/", "evil.example"))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"name\":\"\"")
                .doesNotContain("anna");
        assertThat(answerTo("/", "evil.example\r\nX-Forwarded-For: 192.0.2.1")).doesNotContain("anna");
        for (var host : new String[] {"localhost:4040", "127.0.0.1", "10.1.2.3:80", "[::1]:4040", "a.localhost", "a"}) {
            assertThat(answerTo("/", host)).as(host).contains("anna");
        }
    }

    @Test
    void events_can_be_resumed() throws Exception {
        String lastId;
        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("GET /v1/elections/counter/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            socket.readThrough("\r\n\r\n");
            var first = chunk(socket);
            assertThat(first).startsWith("retry: 2000\nid: ").contains("event: leader\n");
            lastId = first.lines()
                    .filter(line -> line.startsWith("id: "))
                    .findFirst()
                    .orElseThrow()
                    .substring(4);
        }
        server.claims().claim(ANNA);

        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("GET /v1/elections/counter/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: " + lastId
                    + "\r\n\r\n");
            socket.readThrough("\r\n\r\n");
            assertThat(chunk(socket)).doesNotContain("reset").contains("\"id\":\"anna\"");
        }
    }

    @Test
    void heartbeats_are_sent_on_request() throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("GET /sse?heartbeat=1s HTTP/1.1\r\nHost: localhost\r\n\r\n");
            socket.readThrough("\r\n\r\n");
            chunk(socket);

            assertThat(chunk(socket)).isEqualTo(":\n\n");
        }
    }

    private String answerTo(String path, String host) throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            return socket.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void head_of_a_stream_has_no_body() throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            socket.send("HEAD /sse HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(socket.readAll()).contains("text/event-stream").endsWith("\r\n\r\n");
        }
    }

    @Test
    void probes_answer_on_their_own_port() throws Exception {
        try (var socket = new RawSocket(server.server().probeAddress())) {
            assertThat(socket.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").readResponse())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("ok");
            assertThat(socket.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n").readResponse())
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private String answerTo(String methodAndTarget) throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            return socket.send(methodAndTarget + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }

    private static String chunk(RawSocket socket) throws Exception {
        int length = Integer.parseInt(socket.readThrough("\r\n").strip(), 16);
        var chunk = new String(socket.readBytes(length), java.nio.charset.StandardCharsets.UTF_8);
        socket.readBytes(2);
        return chunk;
    }
}
