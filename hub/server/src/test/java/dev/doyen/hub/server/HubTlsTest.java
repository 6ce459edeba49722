package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.tls.ServerTls;
import dev.doyen.elector.tls.TestCertificates;
import dev.doyen.hub.server.claims.StrictClaims;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a hub with TLS: WebSockets, the elector API, the console and the probes. */
@Timeout(120)
final class HubTlsTest {

    private static final int CLIENTS = 1_000;

    @TempDir
    private Path directory;

    private HttpClient http;
    private ServerTls tls;
    private HubServer server;

    @BeforeEach
    void start() throws Exception {
        http = HttpClient.newBuilder().sslContext(TestCertificates.client()).build();
        tls = ServerTls.open(TestCertificates.server(directory, "rsa.pem", "rsa-pkcs8.key"));
        var settings = new TlsSettings(Optional.of(tls), false, Optional.of(new ListenAddress("127.0.0.1", 0)));
        server = RunningServer.withTls(settings, StrictClaims.withElection(RunningServer.CHANNEL));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void open_WebSockets_outlive_a_change_of_the_certificate() throws Exception {
        var clients = new ArrayList<Client>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client("client-" + i));
        }
        for (var client : clients) {
            client.readUntil("\"action\":4");
            client.send("{\"action\":10,\"channel\":\"room\"}");
            client.readUntil("\"action\":11");
        }
        publish(clients.get(0), 0, "before");
        for (var client : clients) {
            client.readUntil("\"before\"");
        }
        assertThat(certificate()).contains("CN=rsa");

        TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key");
        tls.reload();

        assertThat(certificate()).contains("CN=ec");
        publish(clients.get(0), 1, "after");
        for (var client : clients) {
            client.readUntil("\"after\"");
        }
        TestCertificates.server(directory, "ec.pem", "client.key");
        assertThatThrownBy(() -> tls.reload()).hasMessageContaining("do not belong together");
        assertThat(certificate()).contains("CN=ec");
        clients.forEach(client -> client.socket.abort());
    }

    @Test
    void a_client_certificate_replaces_the_admin_key() throws Exception {
        var admin = TestCertificates.client("client.pem");
        var other = TestCertificates.client();
        String pause = "v1/elections/" + RunningServer.CHANNEL + "/pause";
        for (String root : List.of(url(server.electorAddress()), url(server.hubAddress()) + "console/")) {
            assertThat(post(other, root + pause)).as(root).isEqualTo(403);
            assertThat(post(admin, root + pause)).as(root).isNotEqualTo(403);
        }
        String events = url(server.hubAddress()) + "console/events";
        assertThat(status(other, HttpRequest.newBuilder(URI.create(events)))).isEqualTo(401);
        assertThat(status(admin, HttpRequest.newBuilder(URI.create(events)))).isEqualTo(200);
    }

    @Test
    void the_probes_are_plain_HTTP_and_the_redirect_leads_to_the_hub() throws Exception {
        var plain = TestCertificates.client();
        var probe = "http://127.0.0.1:" + server.probeAddress().getPort() + "/healthz";
        assertThat(status(plain, HttpRequest.newBuilder(URI.create(probe)))).isEqualTo(200);
        try (var socket = new RawSocket(server.redirectAddress().orElseThrow())) {
            assertThat(socket.send("GET /swarm.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .readResponse())
                    .containsIgnoringCase("location: " + url(server.hubAddress()) + "swarm.js");
        }
    }

    @Test
    void an_app_of_the_sandbox_contains_the_address_of_the_hub() throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url(server.hubAddress()) + "apps"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
        assertThat(http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("\"endpoint\":\"127.0.0.1\",\"port\":"
                        + server.hubAddress().getPort() + ",\"tls\":true");
    }

    private void publish(Client client, int serial, String text) {
        client.send("{\"action\":15,\"channel\":\"room\",\"msgSerial\":" + serial
                + ",\"messages\":[{\"name\":\"n\",\"data\":\"" + text + "\"}]}");
    }

    /** Returns the name in the certificate that a new connection receives. */
    private String certificate() throws Exception {
        var hub = server.hubAddress();
        try (var socket = (SSLSocket)
                TestCertificates.client().getSocketFactory().createSocket(hub.getAddress(), hub.getPort())) {
            var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        }
    }

    private static String url(InetSocketAddress address) {
        return "https://127.0.0.1:" + address.getPort() + "/";
    }

    private static int post(SSLContext context, String url) throws Exception {
        return status(context, HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** Returns the status and ignores the body, because the body can be an endless stream. */
    private static int status(SSLContext context, HttpRequest.Builder request) throws Exception {
        var response = HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    /** A WebSocket over TLS that the JDK's HTTP client opens. */
    private final class Client implements WebSocket.Listener {
        private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();
        private final WebSocket socket;

        Client(String clientId) throws Exception {
            var uri = URI.create("wss://127.0.0.1:" + server.hubAddress().getPort() + "/?key=" + RunningServer.KEY
                    + "&clientId=" + clientId + "&v=4&format=json");
            socket = http.newWebSocketBuilder().buildAsync(uri, this).get(60, TimeUnit.SECONDS);
        }

        void send(String frame) {
            socket.sendText(frame, true).join();
        }

        void readUntil(String text) throws Exception {
            String frame;
            do {
                frame = received.poll(60, TimeUnit.SECONDS);
                assertThat(frame).as("a frame with " + text).isNotNull();
            } while (!frame.contains(text));
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                received.add(part.toString());
                part.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, data, last);
        }
    }
}
