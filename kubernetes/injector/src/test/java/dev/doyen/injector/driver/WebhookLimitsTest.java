package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.certificate.ServingCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks the limits for a peer that is not an API server.
 *
 * <p>The peers use real sockets.
 */
class WebhookLimitsTest {

    private static final int WITHIN_MILLIS = 90_000;

    private final ServingCertificate certificate =
            new CertificateMaker(List.of("localhost"), Duration.ofDays(1)).make(Instant.now(), Optional.empty());
    private final List<Socket> open = new ArrayList<>();
    private WebhookServer server;

    @BeforeEach
    void start() throws Exception {
        var shown = new Shown();
        shown.show(certificate);
        var injection = new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE));
        server = new WebhookServer(new InetSocketAddress("localhost", 0), shown, () -> injection);
    }

    @AfterEach
    void stop() throws Exception {
        for (var socket : open) {
            socket.close();
        }
        server.close();
    }

    @Test
    void a_body_of_3_mib_is_read_and_a_longer_one_is_refused() throws Exception {
        int most = 3 * 1024 * 1024;
        assertThat(post("Content-Length: " + most, " ".repeat(most)))
                .startsWith("HTTP/1.1 400")
                .contains("the body is a \"\" ; send an admission.k8s.io/v1 AdmissionReview");
        assertThat(post("Content-Length: " + (most + 1), "")).startsWith("HTTP/1.1 413");
        var chunk = Integer.toHexString(most + 1) + "\r\n" + " ".repeat(most + 1) + "\r\n0\r\n\r\n";
        assertThat(post("Transfer-Encoding: chunked", chunk)).startsWith("HTTP/1.1 413");
    }

    @Test
    void what_is_no_http_is_answered_and_closed() throws Exception {
        var socket = connect();
        socket.getOutputStream().write("GET /healthz\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(text(socket.getInputStream()))
                .startsWith("HTTP/1.1 400")
                .endsWith("no well-formed HTTP/1.1 request.");
    }

    @Test
    void the_65th_connection_is_closed_until_another_ends() throws Exception {
        // Without a handshake, all are open long before the server closes the first for its silence.
        for (int i = 0; i < 63; i++) {
            open.add(new Socket("localhost", server.port()));
        }
        var last = connect();
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        assertThat(health(last)).startsWith("HTTP/1.1 200");

        open.get(0).close();
        long start = System.nanoTime();
        Optional<Socket> admitted = Optional.empty();
        while (admitted.isEmpty()) {
            assertThat(millisSince(start)).isLessThan(WITHIN_MILLIS);
            try {
                admitted = Optional.of(connect());
            } catch (IOException e) {
                // The server has not seen the end of the connection yet.
            }
        }
        assertThat(health(admitted.get())).startsWith("HTTP/1.1 200");
    }

    @Test
    void who_is_silent_or_slow_is_closed_after_10_s() throws Exception {
        long start = System.nanoTime();
        var withoutHandshake = new Socket("localhost", server.port());
        withoutHandshake.setSoTimeout(WITHIN_MILLIS);
        open.add(withoutHandshake);
        var withoutRequest = connect();
        var withoutBody = connect();
        withoutBody
                .getOutputStream()
                .write("POST /inject HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"
                        .getBytes(StandardCharsets.US_ASCII));
        for (var socket : List.of(withoutHandshake, withoutRequest, withoutBody)) {
            assertThat(text(socket.getInputStream())).doesNotContain("HTTP");
        }
        assertThat(millisSince(start)).isBetween(9_500L, (long) WITHIN_MILLIS);
    }

    private String post(String header, String body) throws Exception {
        var socket = connect();
        var out = socket.getOutputStream();
        out.write(("POST /inject HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + header + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        try {
            out.write(body.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The server rejected the request before it had read the whole body.
        }
        return text(socket.getInputStream());
    }

    private static String health(Socket socket) throws Exception {
        socket.getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        return text(socket.getInputStream());
    }

    private Socket connect() throws Exception {
        var socket = Handshake.open(server.port(), certificate.authorities().getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(WITHIN_MILLIS);
        open.add(socket);
        return socket;
    }

    /** Returns what arrives until the connection ends in any way. */
    private static String text(InputStream in) {
        var text = new StringBuilder();
        try {
            for (int each = in.read(); each >= 0; each = in.read()) {
                text.append((char) each);
            }
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            // The connection was reset. The text that arrived before counts.
        }
        return text.toString();
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }
}
