package dev.doyen.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.auth0.jwt.JWT;
import dev.doyen.elector.http.HttpLimits;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.server.HubServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PageOverHttpTest {

    @AutoClose
    private final DemoRequests demo = new DemoRequests();

    private final HubServer server = demo.server();

    PageOverHttpTest() throws Exception {}

    @ParameterizedTest
    @CsvSource({
        "/for-tests.html,text/html; charset=utf-8,for tests",
        "/sub/for-tests.js,text/javascript; charset=utf-8,x = 1",
        "/page/,text/html; charset=utf-8,beneath"
    })
    void files_of_the_page_are_served_with_type_and_security_headers(String path, String type, String content)
            throws Exception {
        assertThat(answerTo("GET " + path + "?v=1 HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Type: " + type + "\r\n", "Cache-Control: no-cache\r\n", content)
                .contains("X-Content-Type-Options: nosniff", "default-src 'none'")
                .contains("connect-src 'self' ws://localhost:8000 wss://localhost:8000;");
    }

    @Test
    void a_page_in_a_folder_is_found_without_the_final_slash() throws Exception {
        assertThat(answerTo("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 308 ")
                .contains("Location: /page/\r\n");
    }

    @Test
    void an_invalid_host_is_left_out_of_the_content_security_policy() throws Exception {
        assertThat(answerTo("GET /for-tests.html HTTP/1.1\r\nHost: x; script-src *\r\n\r\n"))
                .contains("connect-src 'self';")
                .doesNotContain("script-src *");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../outside.txt",
                "/..%2foutside.txt",
                "/%2e%2e/outside.txt",
                "/sub/../../outside.txt",
                "/./for-tests.html",
                "//for-tests.html",
                "//page",
                "//page/",
                "/sub//for-tests.js",
                "/.hidden.txt",
                "/sub",
                "/sub/",
                "/for-tests.html/",
                "/for-tests.html%00",
                "/..\\outside.txt",
                "/dev/doyen/demo/DemoPages.class",
                "/nothing.html"
            })
    void other_files_of_the_class_path_cannot_be_read(String path) throws Exception {
        assertThat(answerTo("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .doesNotContain("outside", "secret")
                .contains("Nothing is served at this path");
    }

    @Test
    void the_configuration_contains_addresses_and_no_key() throws Exception {
        assertThat(answerTo("GET /config.json HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"))
                .contains("Content-Type: application/json\r\n")
                .endsWith("{\"channel\":\"counter\",\"electorUrl\":\"http://localhost:"
                        + server.electorAddress().getPort()
                        + "/\",\"claimTtlMillis\":5000,\"sharedUrl\":\"\",\"ownMachine\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1:80:90", ""})
    void nothing_is_sent_to_a_foreign_host_name_that_resolves_to_this_machine(String host) throws Exception {
        for (String path : List.of("/config.json", "/token?clientId=eve&channel=counter")) {
            assertThat(answerTo("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded: for=192.0.2.1",
                "X-Forwarded-For: 192.0.2.1",
                "x-forwarded-proto: https",
                "X-Real-IP: 192.0.2.1",
                "Via: 1.1 proxy"
            })
    void nothing_is_sent_through_a_proxy_that_adds_a_header(String header) throws Exception {
        for (String path : List.of("/config.json", "/token?clientId=eve&channel=counter")) {
            assertThat(answerTo("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000"})
    void the_host_names_of_this_machine_are_served(String host) throws Exception {
        assertThat(answerTo("GET /config.json HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"counter", "orders"})
    void a_page_of_this_machine_gets_the_rights_for_one_channel_only(String channel) throws Exception {
        var answer =
                answerTo("GET /token?clientId=ann&rnd=1&channel=" + channel + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("Content-Type: application/jwt\r\n");
        assertAllowsOnly(channel, body(answer), server.hubAddress());
    }

    @ParameterizedTest
    @CsvSource({
        "/token,clientId",
        "/token?channel=counter,clientId",
        "/token?clientId=&channel=counter,clientId",
        "/token?clientId=*&channel=counter,clientId",
        "/token?clientId=a&clientId=b&channel=counter,clientId",
        "/token?clientId=a,channel",
        "/token?clientId=a&channel=,channel",
        "/token?clientId=a&channel=*,channel",
        "/token?clientId=a&channel=x%22:[],channel",
        "/token?clientId=a&channel=game&channel=voting,channel"
    })
    void a_token_needs_one_valid_client_id_and_one_valid_channel(String path, String what) throws Exception {
        assertThat(answerTo("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("Give one " + what + " of 1 to 100 letters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080", "https://localhost", "http://127.0.0.1:3000", "http://[::1]:80"})
    void a_page_of_another_server_on_this_machine_may_read_its_token(String origin) throws Exception {
        assertThat(answerTo(tokenRequest(origin)))
                .startsWith("HTTP/1.1 200 ")
                .contains("Access-Control-Allow-Origin: " + origin + "\r\n", "Vary: Origin\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://localhost.evil.example", "http://192.0.2.1:8000", "null"})
    void a_page_of_another_site_may_not_read_a_token(String origin) throws Exception {
        assertThat(answerTo(tokenRequest(origin))).doesNotContain("Access-Control-Allow-Origin");
    }

    private static String tokenRequest(String origin) {
        return "GET /token?clientId=ann&channel=orders HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin + "\r\n\r\n";
    }

    @Test
    void head_returns_the_headers_of_get() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send("HEAD /for-tests.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertThat(socket.readAll())
                    .containsIgnoringCase("Content-Length: 40\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void other_methods_are_rejected_with_the_allowed_methods() throws Exception {
        assertThat(answerTo("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: GET, HEAD\r\n", "Only GET and HEAD");
    }

    @Test
    void requests_sent_together_are_answered_in_order_on_one_socket() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send("GET /for-tests.html HTTP/1.1\r\nHost: a\r\n\r\nGET /none HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(socket.readResponse()).startsWith("HTTP/1.1 200 ").contains("onnection: keep-alive");
            assertThat(socket.readResponse()).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void a_client_of_http_1_0_is_answered_and_disconnected() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send("GET /for-tests.html HTTP/1.0\r\n\r\n").readAll())
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("connection: close");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n\r\n\r\nrubbish\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n : x\r\nbad header line\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"
            })
    void bytes_that_are_not_http_are_rejected_and_the_connection_is_closed(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send(request).readAll()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void other_versions_of_http_are_rejected() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send("GET / HTTP/9.9\r\n\r\n").readAll()).startsWith("HTTP/1.1 505 ");
        }
    }

    @Test
    void the_limits_of_line_header_and_body_are_in_the_answer() throws Exception {
        var line = "GET /" + "x".repeat(HttpLimits.MAX_REQUEST_LINE_BYTES) + " HTTP/1.1\r\n\r\n";
        assertThat(answerTo(line)).startsWith("HTTP/1.1 414 ").contains("longer than 32768 bytes");
        var header = "GET / HTTP/1.1\r\nX: " + "x".repeat(HttpLimits.MAX_HEADER_BYTES) + "\r\n\r\n";
        assertThat(answerTo(header)).startsWith("HTTP/1.1 431 ").contains("longer than 65536 bytes");
        var body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + (512 * 1024 + 1) + "\r\n\r\n";
        assertThat(answerTo(body)).startsWith("HTTP/1.1 413 ").contains("longer than 524288 bytes");
    }

    private String answerTo(String request) throws Exception {
        return answerTo(server.hubAddress(), request);
    }

    static String answerTo(InetSocketAddress address, String request) throws Exception {
        try (var socket = new RawSocket(address)) {
            return socket.send(request).readResponse();
        }
    }

    static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Checks the claims of the token. Connects with it, and checks that it allows to attach no other channel. */
    static void assertAllowsOnly(String channel, String token, InetSocketAddress address) throws Exception {
        var claims = JWT.decode(token);
        assertThat(claims.getClaim("x-ably-capability").asString())
                .isEqualTo("{\"" + channel + "\":[\"publish\",\"subscribe\",\"presence\",\"history\",\"lead\"]}");
        assertThat(Duration.between(claims.getIssuedAtAsInstant(), claims.getExpiresAtAsInstant()))
                .isEqualTo(Duration.ofHours(1));
        try (var page = new RawWebSocket(address, "?accessToken=" + token)) {
            assertThat(page.read().text()).contains("\"action\":4,", "\"clientId\":\"ann\"");
            page.send("{\"action\":10,\"channel\":\"" + channel + "\"}");
            assertThat(page.read().text()).contains("\"action\":11,", "\"channel\":\"" + channel + "\"");
            for (String other : List.of("game", channel + "x", "another")) {
                page.send("{\"action\":10,\"channel\":\"" + other + "\"}");
                assertThat(page.read().text()).contains("\"action\":9,", "40160");
            }
        }
    }
}
