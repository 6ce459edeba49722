package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.RestRates;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the text of the answers to REST requests over real sockets. */
@Timeout(180)
final class RestOverHttpTest {

    private static final String BASIC = "Authorization: Basic "
            + Base64.getEncoder().encodeToString(RunningServer.KEY.getBytes(StandardCharsets.UTF_8)) + "\r\n";

    private HubServer server;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.withHub(HubSettings.defaults(), StrictClaims.withElection(RunningServer.CHANNEL));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String answerTo(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            return socket.send(request).readResponse();
        }
    }

    private String get(String target, String headers) throws Exception {
        return answerTo("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
    }

    private String post(String target, String body) throws Exception {
        return answerTo("POST " + target + " HTTP/1.1\r\nHost: a\r\n" + BASIC + "Content-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void the_head_of_an_answer_is_complete() throws Exception {
        assertThat(get("/time", ""))
                .matches("HTTP/1\\.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
                        + "content-length: 15\r\nconnection: keep-alive\r\n\r\n\\[[0-9]{13}]");
    }

    @Test
    void a_url_as_the_target_is_accepted_for_requests_and_sockets() throws Exception {
        assertThat(get("http://a/time", "")).matches("(?s)HTTP/1\\.1 200 OK\r\n.*\\[[0-9]{13}]");
        assertThat(get("http://a/console/", "")).startsWith("HTTP/1.1 200 OK\r\n");
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send(RawWebSocket.handshake("http://a/?key=x")).readThrough("\r\n\r\n"))
                    .startsWith("HTTP/1.1 101 ");
        }
    }

    @Test
    void an_error_has_its_code_in_the_head_and_in_the_body() throws Exception {
        assertThat(get("/channels/x/messages", ""))
                .startsWith("HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n")
                .contains("\r\nX-Ably-ErrorCode: 40101\r\n", "\r\nX-Ably-ErrorMessage: no credentials; send the header")
                .contains("{\"error\":{\"code\":40101,\"statusCode\":401,\"message\":\"no credentials; send")
                .doesNotContain("WWW-Authenticate", "charset");
    }

    @Test
    void an_expired_token_gets_the_challenge_that_sdks_expect() throws Exception {
        assertThat(get("/channels/x/messages", "Authorization: Bearer a.b.c\r\n"))
                .startsWith("HTTP/1.1 401 ")
                .contains("\r\nWWW-Authenticate: X-Ably-Token realm=\"doyen\", stale=\"true\"\r\n");
    }

    @Test
    void messages_published_by_request_are_in_history_pages_with_links() throws Exception {
        assertThat(post("/channels/x/messages", "[{\"name\":\"a\"},{\"name\":\"b\"}]"))
                .startsWith("HTTP/1.1 201 Created\r\n")
                .contains("{\"channel\":\"x\",\"messageId\":\"");

        var page = get("/channels/x/messages?limit=1&direction=forwards", BASIC);
        assertThat(page)
                .containsSubsequence(
                        "\r\nLink: <./messages?limit=1&direction=forwards>; rel=\"first\"\r\n",
                        "Link: <./messages?limit=1&direction=forwards>; rel=\"current\"\r\n",
                        "Link: <./messages?limit=1&direction=forwards&cursor=")
                .contains("\"name\":\"a\"")
                .doesNotContain("\"name\":\"b\"");
        var next = page.substring(page.lastIndexOf("<./messages") + 2, page.lastIndexOf(">; rel=\"next\""));
        assertThat(get("/channels/x" + next, BASIC)).contains("\"name\":\"b\"").doesNotContain("rel=\"next\"");
    }

    @Test
    void a_browser_can_send_a_preflight_and_read() throws Exception {
        var origin = "Origin: https://app.example\r\n";
        assertThat(answerTo("OPTIONS /channels/x/messages HTTP/1.1\r\nHost: a\r\n" + origin
                        + "Access-Control-Request-Method: POST\r\n\r\n"))
                .startsWith("HTTP/1.1 204 No Content\r\n")
                .contains(
                        "\r\nAccess-Control-Allow-Origin: https://app.example\r\n",
                        "\r\nAccess-Control-Allow-Credentials: true\r\n",
                        "\r\nAccess-Control-Allow-Headers: authorization, content-type, ")
                .doesNotContain("ontent-length");
        assertThat(get("/time", origin))
                .contains(
                        "\r\nAccess-Control-Allow-Origin: https://app.example\r\n",
                        "\r\nAccess-Control-Expose-Headers: Link, ",
                        "\r\nVary: Origin\r\n");
    }

    @Test
    void the_jdk_client_is_served_over_one_socket() throws Exception {
        var client = HttpClient.newHttpClient();
        var root = "http://localhost:" + server.hubAddress().getPort();
        for (int i = 0; i < 3; i++) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create(root + "/channels/x/messages"))
                            .header("Authorization", BASIC.strip().substring("Authorization: ".length()))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"data\":\"" + "x".repeat(60_000) + "\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        }
    }

    @Test
    void head_of_the_api_has_no_body_and_the_page_is_still_served() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send("HEAD /time HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("content-length: 15\r\n")
                    .endsWith("\r\n\r\n");
        }
        assertThat(get("/swarm.js", "")).startsWith("HTTP/1.1 200 ").contains("text/javascript");
    }

    @Test
    void a_pipelined_request_is_not_processed_before_the_answer() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            var both = "GET /time HTTP/1.1\r\nHost: a\r\n\r\nGET /swarm.js HTTP/1.1\r\nHost: a\r\n\r\n";
            assertThat(socket.send(both).readAll()).doesNotContain("text/javascript");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/nothing.html,'',text/plain; charset=utf-8",
        "GET,/nothing.html,X-Ably-Version: 2,application/json",
        "GET,/comet/connect,'',application/json",
        "GET,/push/deviceRegistrations,'',application/json"
    })
    void unknown_paths_are_text_for_browsers_and_json_for_sdks(String method, String path, String header, String type)
            throws Exception {
        assertThat(answerTo(method + " " + path + " HTTP/1.1\r\nHost: a\r\n" + header + (header.isEmpty() ? "" : "\r\n")
                        + "\r\n"))
                .startsWith("HTTP/1.1 404 Not Found\r\n")
                .contains("\r\nContent-Type: " + type + "\r\n");
    }

    /**
     * Tests the retry time. The first request leaves 20 of 60 message tokens. The bucket regains one token per second,
     * so the next request, which needs 40 tokens, must wait for 20 s.
     */
    @Test
    void a_rate_limited_client_gets_a_retry_time_and_others_are_served() throws Exception {
        var other = "app.other:another-secret";
        var rules = HubSettings.builder()
                .restRates(rates -> new RestRates(1, 60, 1, 10, 10))
                .build();
        try (var slow = RunningServer.withHub(
                        InetAddress.getLoopbackAddress(),
                        rules,
                        HubKeys.of(List.of(RunningServer.KEY, other)),
                        StrictClaims.withElection(RunningServer.CHANNEL));
                var socket = new RawSocket(slow.hubAddress())) {
            assertThat(socket.send(fortyFrom(1, BASIC)).readResponse()).startsWith("HTTP/1.1 201 ");
            assertThat(socket.send(fortyFrom(2, BASIC)).readResponse())
                    .startsWith("HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n")
                    .containsPattern("\r\nRetry-After: (20|1[0-9])\r\n")
                    .contains(
                            "\r\nX-Ably-ErrorCode: 42911\r\n",
                            "\r\nAccess-Control-Expose-Headers: Link, WWW-Authenticate, X-Ably-ErrorCode,"
                                    + " X-Ably-ErrorMessage, Retry-After\r\n",
                            "{\"error\":{\"code\":42911,\"statusCode\":429,\"message\":\"the key \\\"app.id\\\" ");
            assertThat(socket.send(fortyFrom(3, BASIC + "Accept: application/x-msgpack\r\n"))
                            .readResponse())
                    .startsWith("HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/x-msgpack\r\n")
                    .containsPattern("\r\nRetry-After: (20|1[0-9])\r\n")
                    .contains("error", "statusCode");
            assertThat(socket.send(fortyFrom(4, basic(other))).readResponse()).startsWith("HTTP/1.1 201 ");
            assertThat(socket.send(fortyFrom(5, basic("app.id:guess"))).readResponse())
                    .startsWith("HTTP/1.1 401 ");
            assertThat(socket.send(fortyFrom(6, basic("app.id:another-guess"))).readResponse())
                    .startsWith("HTTP/1.1 429 ");
            assertThat(refusalsOnTheConsoleOf(slow))
                    .contains(
                            "\"refused\":3",
                            "the key \\\"app.id\\\" publishes too fast",
                            "come from the address 127.0.0.1; at most 1 requests");
        }
    }

    private static String basic(String key) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    /** Returns a request that publishes 40 messages and has a forged X-Forwarded-For header. */
    private static String fortyFrom(int nowhere, String headers) {
        var body = "[{}" + ",{}".repeat(39) + "]";
        return "POST /channels/x/messages HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example\r\n"
                + "X-Forwarded-For: 203.0.113." + nowhere + "\r\n" + headers
                + "Content-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static String refusalsOnTheConsoleOf(HubServer hub) throws Exception {
        try (var console = new RawSocket(hub.hubAddress())) {
            var events = "GET /console/events HTTP/1.1\r\nHost: localhost:"
                    + hub.hubAddress().getPort() + "\r\nAuthorization: " + RunningServer.ADMIN;
            return console.send(events + "\r\n\r\n").readThrough("\n\n");
        }
    }

    @Test
    void a_body_can_be_as_long_as_a_frame() throws Exception {
        var message = "{\"data\":\"" + "x".repeat(65_000) + "\"}";
        assertThat(post("/channels/x/messages", "[" + message + "," + message + "]"))
                .startsWith("HTTP/1.1 400 ")
                .contains("X-Ably-ErrorCode: 40009");
        assertThat(answerTo("POST /channels/x/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 524289\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }
}
