package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.doyen.elector.tls.TestCertificates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class AppHealthTest {

    @Test
    void an_https_app_is_healthy_with_any_certificate() throws Exception {
        var status = new AtomicInteger(204);
        var app = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // No client trusts this certificate by default, and the certificate contains no host name of this machine.
        app.setHttpsConfigurator(new HttpsConfigurator(TestCertificates.client("client.pem")));
        app.createContext("/livez", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        app.start();
        try {
            var url = URI.create("https://127.0.0.1:" + app.getAddress().getPort() + "/livez");
            var check = AppHealth.http(url, Duration.ofSeconds(60));
            assertThat(check.getAsBoolean()).isTrue();
            status.set(503);
            assertThat(check.getAsBoolean()).isFalse();
        } finally {
            app.stop(0);
        }
    }
}
