package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.tls.ServerTls;
import dev.doyen.elector.tls.TestCertificates;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests ports with TLS over real sockets. The test server responds with the client's address, and with true if the
 * client's certificate makes the client the admin.
 */
@Timeout(60)
class TlsPortTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    private Path directory;

    private final EventLoopGroup sockets = Ports.sockets(1, "test");
    private TlsSettings tls = TlsSettings.NONE;

    @AfterEach
    void end() {
        Ports.end(sockets);
        tls.close();
    }

    @ParameterizedTest
    @CsvSource({"rsa.pem, rsa-pkcs8.key", "rsa.pem, rsa-pkcs1.key", "ec.pem, ec-pkcs8.key", "ec.pem, ec-sec1.key"})
    void each_format_of_a_key_serves_HTTPS(String certificate, String key) throws Exception {
        var port = open(certificate, key, TrustedProxies.NONE);
        assertThat(get(port, TestCertificates.client()).body()).isEqualTo("127.0.0.1 false\n");
    }

    @Test
    void a_client_that_offers_at_most_TLS_1_1_is_rejected() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        // A ClientHello of version 1.1 with one cipher suite, and without extensions.
        var hello = "0302" + "00".repeat(32) + "00" + "0002c009" + "0100";
        try (var socket = new RawSocket(port)) {
            socket.send(HexFormat.of().parseHex("160301002d" + "01000029" + hello));
            assertThat(socket.readBytes(7))
                    .as("the server sends the fatal alert protocol_version")
                    .startsWith(0x15)
                    .endsWith(2, 70);
        }
    }

    /** Offers each protocol and all cipher suites of OpenSSL, as testssl.sh does. */
    @ParameterizedTest
    @CsvSource({"rsa.pem, rsa-pkcs8.key, RSA", "ec.pem, ec-pkcs8.key, ECDSA"})
    void only_strong_protocols_and_cipher_suites_are_accepted(String certificate, String key, String algorithm)
            throws Exception {
        assumeTrue(Openssl.isInstalled(), "openssl is not installed");
        var port = open(certificate, key, TrustedProxies.NONE);
        assertThat(Openssl.accepts(port, "-tls1")).isFalse();
        assertThat(Openssl.accepts(port, "-tls1_1")).isFalse();
        assertThat(Openssl.accepts(port, "-tls1_2")).isTrue();
        assertThat(Openssl.accepts(port, "-tls1_3")).isTrue();

        String exchange = "ECDHE-" + algorithm + "-";
        assertThat(Openssl.acceptedCipherSuites(port))
                .containsExactlyInAnyOrder(
                        exchange + "AES256-GCM-SHA384", exchange + "CHACHA20-POLY1305", exchange + "AES128-GCM-SHA256");
    }

    @Test
    void a_client_cannot_repeat_the_handshake_of_a_connection() throws Exception {
        assumeTrue(Openssl.isInstalled(), "openssl is not installed");
        var port = open("rsa.pem", "rsa-pkcs8.key", TrustedProxies.NONE);
        assertThat(Openssl.renegotiate(port)).contains(Openssl.RENEGOTIATING).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void a_plain_HTTP_request_is_answered_with_a_sentence() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        try (var socket = new RawSocket(port)) {
            assertThat(socket.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").readResponse())
                    .startsWith("HTTP/1.1 400 ")
                    .endsWith("This port speaks HTTPS only. Use https:// or wss:// instead of http:// or ws://.\n");
        }
    }

    @Test
    void a_failed_handshake_is_not_logged_as_a_fault() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        var lines = new CopyOnWriteArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var logger = Logger.getLogger(HttpRequestDecoder.class.getName());
        logger.addHandler(handler);
        try (var socket = new RawSocket(port)) {
            socket.send(HexFormat.of().parseHex("1603010004" + "ffffffff")).readAll();
            // The end of the event loops shows that the failure was handled.
            Ports.end(sockets);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void the_header_of_the_PROXY_protocol_precedes_the_handshake() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.of(List.of("127.0.0.1"), true));
        try (var socket = new Socket(port.getAddress(), port.getPort())) {
            socket.getOutputStream()
                    .write("PROXY TCP4 192.0.2.1 198.51.100.1 4711 80\r\n".getBytes(StandardCharsets.US_ASCII));
            var secured = TestCertificates.client()
                    .getSocketFactory()
                    .createSocket(socket, "localhost", port.getPort(), true);
            secured.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(secured.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("192.0.2.1 false\n");
        }
    }

    @Test
    void a_client_certificate_authenticates_the_admin() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        var client = TestCertificates.client("client.pem");
        assertThat(get(port, client).body()).isEqualTo("127.0.0.1 true\n");
        assertThat(get(port, client, "Origin", "https://127.0.0.1:" + port.getPort())
                        .body())
                .endsWith("true\n");
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, https://evil.example",
        "Origin, http://127.0.0.1:PORT",
        "Origin, null",
        "X-Forwarded-For, 192.0.2.1"
    })
    void a_client_certificate_gives_no_rights_to_foreign_pages_and_behind_a_proxy(String header, String value)
            throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        var sent = value.replace("PORT", String.valueOf(port.getPort()));
        assertThat(get(port, TestCertificates.client("client.pem"), header, sent)
                        .body())
                .isEqualTo("127.0.0.1 false\n");
    }

    @Test
    void a_client_certificate_of_another_authority_gives_no_rights() throws Exception {
        var port = open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        // The server names its authorities in the handshake. Another authority signed the client's certificate, so the
        // client does not send the certificate.
        assertThat(get(port, TestCertificates.client("stranger.pem")).body()).isEqualTo("127.0.0.1 false\n");
    }

    @Test
    void the_probes_are_plain_unless_TLS_covers_them() throws Exception {
        open("ec.pem", "ec-pkcs8.key", TrustedProxies.NONE);
        assertThat(List.of(tls.scheme(Port.HUB), tls.scheme(Port.ELECTOR))).containsOnly("https");
        assertThat(List.of(tls.scheme(Port.PROBES), tls.scheme(Port.METRICS))).containsOnly("http");
        var all = new TlsSettings(tls.certificate(), true, Optional.empty());
        assertThat(List.of(all.scheme(Port.PROBES), all.scheme(Port.METRICS))).containsOnly("https");
    }

    @Test
    void the_redirect_port_names_the_HTTPS_port_of_the_same_host() throws Exception {
        var files = TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key");
        tls = new TlsSettings(
                Optional.of(ServerTls.open(files)), false, Optional.of(new ListenAddress("127.0.0.1", 0)));
        var ports = new Ports(tls);
        var redirect = ports.openRedirect(8443, sockets).orElseThrow();
        assertThat(reply(redirect, "GET /console/?a=b HTTP/1.1\r\nHost: hub.example:8080"))
                .startsWith("HTTP/1.1 308 ")
                .containsIgnoringCase("\r\nlocation: https://hub.example:8443/console/?a=b\r\n");
        assertThat(reply(ports.openRedirect(443, sockets).orElseThrow(), "HEAD / HTTP/1.1\r\nHost: [::1]:8080"))
                .containsIgnoringCase("\r\nlocation: https://[::1]/\r\n");
        assertThat(reply(redirect, "POST /v1 HTTP/1.1\r\nHost: hub.example\r\nContent-Length: 0"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(reply(redirect, "GET / HTTP/1.1\r\nHost: a@evil.example")).startsWith("HTTP/1.1 400 ");
        assertThat(reply(redirect, "GET http://hub.example:8080/a?b HTTP/1.1\r\nHost: x"))
                .as("the URL takes precedence over the header")
                .containsIgnoringCase("\r\nlocation: https://hub.example:8443/a?b\r\n");
    }

    private InetSocketAddress open(String certificate, String key, TrustedProxies proxies) throws Exception {
        var files = TestCertificates.server(directory, certificate, key);
        tls = new TlsSettings(Optional.of(ServerTls.open(files)), false, Optional.empty());
        return new Ports(proxies, tls)
                .open(Port.HUB, ANY, sockets, TlsPortTest::serve, new ConnectionLimit(100, AddressLimits.DEFAULT));
    }

    private static void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        String text =
                ClientAddress.of(ctx.channel(), request) + " " + ClientCertificate.isAdmin(ctx.channel(), request);
        HttpReply.sentence(200, text).send(ctx, request);
    }

    private static HttpResponse<String> get(InetSocketAddress port, SSLContext context, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port.getPort() + "/"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String reply(InetSocketAddress port, String head) throws IOException {
        try (var socket = new RawSocket(port)) {
            return socket.send(head + "\r\nConnection: close\r\n\r\n").readAll();
        }
    }
}
