package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.certificate.ServingCertificate;
import dev.doyen.stores.kubernetes.rest.BearerToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the webhook's limits with peers that are not API servers.
 *
 * <p>The peers in this test use real sockets.
 */
class WebhookLimitsTest {

    private static final int WITHIN_MILLIS = 90_000;

    private final ServingCertificate certificate =
            new CertificateMaker(List.of("localhost"), Duration.ofDays(1)).make(Instant.now(), Optional.empty());
    private final Shown shown = new Shown();
    private final Injection injection = new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE));
    private final List<Socket> open = new ArrayList<>();
    private WebhookServer server;

    @BeforeEach
    void start() throws Exception {
        shown.show(certificate, "the test");
        server = new WebhookServer(new InetSocketAddress("localhost", 0), shown, () -> injection, revisions());
    }

    /** Returns reads of revisions, which no pod of these tests needs. */
    private static ReplicaSetRevisions revisions() throws Exception {
        return new ReplicaSetRevisions(new KubernetesApi(new dev.doyen.stores.kubernetes.rest.Cluster(
                URI.create("http://127.0.0.1:9"), SSLContext.getDefault(), BearerToken.none(), "default")));
    }

    /** Replaces the server by a server with time limits that no connection of a test exceeds. */
    private void startPatientServer() throws Exception {
        startServer(WITHIN_MILLIS, WITHIN_MILLIS);
    }

    /** Replaces the server by a server with these time limits. */
    private void startServer(long requestMillis, long keepAliveMillis) throws Exception {
        server.close();
        server = new WebhookServer(
                new InetSocketAddress("localhost", 0),
                shown,
                () -> injection,
                revisions(),
                requestMillis,
                keepAliveMillis);
    }

    @AfterEach
    void stop() throws Exception {
        for (var socket : open) {
            socket.close();
        }
        server.close();
    }

    @Test
    void a_body_of_3_mib_is_read_and_a_longer_one_is_rejected() throws Exception {
        int most = 3 * 1024 * 1024;
        assertThat(post("Content-Length: " + most, " ".repeat(most)))
                .startsWith("HTTP/1.1 400")
                .contains("the body is a \"\" ; send an admission.k8s.io/v1 AdmissionReview");
        assertThat(post("Content-Length: " + (most + 1), "")).startsWith("HTTP/1.1 413");
        var chunk = Integer.toHexString(most + 1) + "\r\n" + " ".repeat(most + 1) + "\r\n0\r\n\r\n";
        assertThat(post("Transfer-Encoding: chunked", chunk)).startsWith("HTTP/1.1 413");
    }

    @Test
    void bytes_that_are_not_http_are_answered_and_the_connection_is_closed() throws Exception {
        var socket = connect();
        socket.getOutputStream().write("GET /healthz\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(text(socket.getInputStream()))
                .startsWith("HTTP/1.1 400")
                .endsWith("not a well-formed HTTP/1.1 request.");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void admissions_are_answered_beside_peers_with_many_connections(int peers) throws Exception {
        startPatientServer();
        for (int each = 0; each < peers; each++) {
            var peer = "127.0.0." + (2 + each);
            assumeAddress(peer);
            for (int i = 0; i < 25; i++) {
                openAndDoNotUse(peer);
            }
        }
        var review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
                "uid": "u", "namespace": "shop", "resource": {"group": "", "resource": "pods"}, "object": %s}}
                """.formatted(Cluster.labelledPod());
        for (int i = 0; i < 20; i++) {
            assertThat(post("Content-Length: " + review.length(), review))
                    .as("admission " + i)
                    .contains("\"allowed\":true");
        }
    }

    @Test
    void the_33rd_connection_of_a_peer_closes_the_oldest_idle_one() throws Exception {
        startPatientServer();
        var first = connect();
        var idle = connect();
        requestHealth(idle, "keep-alive");
        assertThat(idle.getInputStream().read()).isEqualTo('H');
        for (int i = 2; i < 33; i++) {
            open.add(withoutHandshake("127.0.0.1"));
        }
        assertThat(text(idle.getInputStream())).endsWith("ok");
        assertThat(health(first)).startsWith("HTTP/1.1 200");
    }

    @Test
    void idle_connections_stay_open_longer_than_an_api_server_uses_them() {
        // An API server closes a connection that was idle for 90 s, and waits at most 30 s for a webhook.
        assertThat(WebhookLimits.KEEP_ALIVE_MILLIS).isGreaterThan(90_000);
        assertThat(WebhookLimits.REQUEST_MILLIS).isGreaterThanOrEqualTo(30_000);
    }

    @Test
    void a_silent_or_slow_connection_is_closed_and_later_an_idle_one() throws Exception {
        startServer(5_000, 10_000);
        long start = System.nanoTime();
        var silent = withoutHandshake("127.0.0.1");
        silent.setSoTimeout(WITHIN_MILLIS);
        open.add(silent);
        var withoutRequest = connect();
        var withoutBody = connect();
        startRequest(withoutBody);
        for (var socket : List.of(silent, withoutRequest, withoutBody)) {
            assertThat(text(socket.getInputStream())).doesNotContain("HTTP");
        }
        assertThat(millisSince(start)).isBetween(4_500L, (long) WITHIN_MILLIS);

        start = System.nanoTime();
        var idle = connect();
        requestHealth(idle, "keep-alive");
        assertThat(text(idle.getInputStream())).startsWith("HTTP/1.1 200").endsWith("ok");
        assertThat(millisSince(start)).isBetween(9_500L, (long) WITHIN_MILLIS);
    }

    /** Skips the test if this machine does not have this loopback address. */
    private static void assumeAddress(String address) {
        try (var probe = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            assertThat(probe.getLocalPort()).isPositive();
        } catch (IOException e) {
            Assumptions.abort("SKIPPED: this machine has no address " + address + " of loopback: " + e);
        }
    }

    private void openAndDoNotUse(String peer) throws Exception {
        open.add(withoutHandshake(peer));
        try {
            connect(peer);
            startRequest(connect(peer));
        } catch (IOException e) {
            // The server has closed the connection. The server may close every connection of such a peer.
        }
    }

    private Socket withoutHandshake(String peer) throws IOException {
        return new Socket(InetAddress.getByName("localhost"), server.port(), InetAddress.getByName(peer), 0);
    }

    private static void startRequest(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("POST /inject HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"
                        .getBytes(StandardCharsets.US_ASCII));
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

    private static String health(Socket socket) throws IOException {
        requestHealth(socket, "close");
        return text(socket.getInputStream());
    }

    private static void requestHealth(Socket socket, String connection) throws IOException {
        socket.getOutputStream()
                .write(("GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: " + connection + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private Socket connect() throws Exception {
        return connect("127.0.0.1");
    }

    private Socket connect(String peer) throws Exception {
        var socket = Handshake.open(server.port(), certificate.authorities().getBytes(StandardCharsets.US_ASCII), peer);
        socket.setSoTimeout(WITHIN_MILLIS);
        open.add(socket);
        return socket;
    }

    /** Returns the text that arrives before the server closes or resets the connection. */
    private static String text(InputStream in) {
        var text = new StringBuilder();
        try {
            for (int each = in.read(); each >= 0; each = in.read()) {
                text.append((char) each);
            }
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            // The connection was reset. The result is the text that arrived before the reset.
        }
        return text.toString();
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }
}
