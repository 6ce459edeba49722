package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.tls.ServerTls;
import dev.doyen.elector.tls.TestCertificates;
import dev.doyen.testkit.HeldPorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ports of a ring process that has a TLS certificate. */
@Timeout(180)
class MemberTlsTest {

    @TempDir
    private Path directory;

    @Test
    void the_console_accepts_a_client_certificate_and_the_probes_are_plain() throws Exception {
        try (var held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);
                var process = new MemberProcess(settings(held))) {
            var console = "https://127.0.0.1:" + process.electorAddress().getPort() + "/console/events";
            assertThat(status(TestCertificates.client(), console)).isEqualTo(401);
            assertThat(status(TestCertificates.client("client.pem"), console)).isEqualTo(200);
            var probe = "http://127.0.0.1:" + process.probeAddress().getPort() + "/healthz";
            assertThat(status(TestCertificates.client(), probe)).isIn(200, 503);
        }
    }

    private MemberSettings settings(HeldPorts held) throws Exception {
        int port = held.take(1).get(0);
        held.release(port);
        var plain = SampleSettings.memberSettings(
                SampleSettings.ringElection(Duration.ofSeconds(5)),
                "test-tls",
                "only",
                port,
                List.of(port),
                SampleSettings.ANY,
                AdminAccess.key(AdminKey.of("the-admin-key-of-the-tests")));
        var tls = ServerTls.open(TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key"));
        return new MemberSettings(
                plain.election(),
                plain.electionSettings(),
                plain.cluster(),
                plain.priority(),
                plain.health(),
                plain.http(),
                plain.probes(),
                plain.adminAccess(),
                new TlsSettings(Optional.of(tls), false, Optional.empty()),
                AuditLog.NONE);
    }

    /** Returns the status, without the body, which can be an endless stream. */
    private static int status(SSLContext context, String url) throws Exception {
        var response = HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }
}
