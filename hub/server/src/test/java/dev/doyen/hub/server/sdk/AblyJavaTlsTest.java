package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.tls.ServerTls;
import dev.doyen.elector.tls.TestCertificates;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the unmodified official Java SDK against a hub with TLS. The SDK uses Java's default trust store. */
@Timeout(180)
final class AblyJavaTlsTest {

    private static final String STORE = "javax.net.ssl.trustStore";
    private static final String PASSWORD = "javax.net.ssl.trustStorePassword";

    @TempDir
    private Path directory;

    private HubServer server;

    @BeforeEach
    void start() throws Exception {
        Path trusted = directory.resolve("trusted.p12");
        TestCertificates.writeTrustStore(trusted, "changeit");
        System.setProperty(STORE, trusted.toString());
        System.setProperty(PASSWORD, "changeit");
        var tls = ServerTls.open(TestCertificates.server(directory, "rsa.pem", "rsa-pkcs8.key"));
        server = RunningServer.withTls(
                new TlsSettings(Optional.of(tls), false, Optional.empty()),
                StrictClaims.withElection(RunningServer.CHANNEL));
    }

    @AfterEach
    void close() {
        server.close();
        System.clearProperty(STORE);
        System.clearProperty(PASSWORD);
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_message_arrives_over_TLS(Wire wire) throws Exception {
        try (var anna = AblyClient.withTls(server.hubAddress(), wire, "anna").connected();
                var ben = AblyClient.withTls(server.hubAddress(), wire, "ben").connected()) {
            var received = ben.attached("room");
            anna.attached("room").publish("text", "hello");
            assertThat(received.nextMessage().data).isEqualTo("hello");
        }
    }
}
