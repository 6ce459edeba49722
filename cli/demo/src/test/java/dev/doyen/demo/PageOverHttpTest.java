package dev.doyen.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.HttpLimits;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
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
    void a_page_beneath_is_found_without_its_slash() throws Exception {
        assertThat(answerTo("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 308 ")
                .contains("Location: /page/\r\n");
    }

    @Test
    void a_host_that_is_no_host_does_not_enter_the_policy() throws Exception {
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
    void nothing_else_of_the_class_path_can_be_read(String path) throws Exception {
        assertThat(answerTo("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .doesNotContain("outside", "secret")
                .contains("There is nothing at this path");
    }

    @Test
    void the_configuration_tells_the_page_how_to_connect() throws Exception {
        assertThat(answerTo("GET /config.json HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"))
                .contains("Content-Type: application/json\r\n")
                .endsWith("{\"key\":\"" + RunningServer.KEY
                        + "\",\"channel\":\"counter\",\"electorUrl\":\"http://localhost:"
                        + server.electorAddress().getPort() + "/\",\"claimTtlMillis\":5000}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1:80:90", ""})
    void the_key_is_not_told_to_a_foreign_name_that_resolves_here(String host) throws Exception {
        assertThat(answerTo("GET /config.json HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ")
                .doesNotContain(RunningServer.KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000"})
    void the_key_is_told_to_this_machines_own_names(String host) throws Exception {
        assertThat(answerTo("GET /config.json HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .contains(RunningServer.KEY);
    }

    @Test
    void head_is_get_without_the_body() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send("HEAD /for-tests.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertThat(socket.readAll())
                    .containsIgnoringCase("Content-Length: 40\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void other_methods_are_told_which_are_served() throws Exception {
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
    void a_client_of_http_1_0_is_answered_and_let_go() throws Exception {
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
    void what_is_no_http_is_refused_and_closed(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send(request).readAll()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void other_versions_of_http_are_refused() throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThat(socket.send("GET / HTTP/9.9\r\n\r\n").readAll()).startsWith("HTTP/1.1 505 ");
        }
    }

    @Test
    void limits_of_line_header_and_body_are_told() throws Exception {
        var line = "GET /" + "x".repeat(HttpLimits.MAX_REQUEST_LINE_BYTES) + " HTTP/1.1\r\n\r\n";
        assertThat(answerTo(line)).startsWith("HTTP/1.1 414 ").contains("longer than 32768 bytes");
        var header = "GET / HTTP/1.1\r\nX: " + "x".repeat(HttpLimits.MAX_HEADER_BYTES) + "\r\n\r\n";
        assertThat(answerTo(header)).startsWith("HTTP/1.1 431 ").contains("longer than 65536 bytes");
        var body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + (512 * 1024 + 1) + "\r\n\r\n";
        assertThat(answerTo(body)).startsWith("HTTP/1.1 413 ").contains("longer than 524288 bytes");
    }

    private String answerTo(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            return socket.send(request).readResponse();
        }
    }
}
