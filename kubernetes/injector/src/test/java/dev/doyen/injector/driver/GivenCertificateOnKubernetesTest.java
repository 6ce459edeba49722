package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.injector.certificate.ServingCertificate;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the injector with certificates from files.
 *
 * <p>In this mode the injector needs fewer rights, and the test grants only these rights.
 */
class GivenCertificateOnKubernetesTest {

    private static final long WITHIN_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final CertificateMaker maker = new CertificateMaker(List.of("localhost"), Duration.ofDays(1));
    private final ServingCertificate first = maker.make(Instant.now(), Optional.empty());
    private final ServingCertificate second = maker.make(Instant.now(), Optional.of(first));

    @TempDir
    Path directory;

    @Test
    void new_certificate_files_are_served_and_invalid_files_are_not() throws Exception {
        KubernetesServer.assumeInstalled();
        write(first.certificate(), first.key());
        try (var cluster = Cluster.start(directory, Chart.renderFile(Chart.CI.resolve("cert-manager-values.yaml")))) {
            var injector = cluster.startInjector(
                    "--check-interval=100ms",
                    "--certificate-file=" + directory.resolve("tls.crt"),
                    "--key-file=" + directory.resolve("tls.key"));
            var trusted = second.authorities();
            cluster.trust("elector-injector", trusted);
            admitted(cluster);
            assertThat(pem(shown(injector.port(), trusted))).isEqualTo(first.certificate());

            write(second.certificate(), first.key());
            cluster.awaitLog("elector-injector", "belong together");
            assertThat(pem(shown(injector.port(), trusted)))
                    .as("a certificate with the key of another one is not served")
                    .isEqualTo(first.certificate());
            admitted(cluster);

            write(second.certificate(), second.key());
            awaitShown(injector.port(), trusted, second.certificate());
            admitted(cluster);
        }
    }

    private static void admitted(Cluster cluster) throws Exception {
        var pod = cluster.admin()
                .post("/api/v1/namespaces/default/pods?dryRun=All", Cluster.labelledPod())
                .expect("making a pod", 201);
        assertThat(pod.at("/spec/containers/1/name").asText()).isEqualTo("elector");
    }

    /**
     * Replaces each file atomically, as the kubelet does.
     *
     * <p>So a program never reads an incomplete file.
     */
    private void write(String certificate, String key) throws Exception {
        for (var each : List.of(List.of("tls.key", key), List.of("tls.crt", certificate))) {
            var made = Files.writeString(directory.resolve("new"), each.get(1));
            Files.move(made, directory.resolve(each.get(0)), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static X509Certificate shown(int port, String trusted) throws Exception {
        return Handshake.with(port, trusted.getBytes(StandardCharsets.US_ASCII));
    }

    private static void awaitShown(int port, String trusted, String certificate) throws Exception {
        long start = System.nanoTime();
        while (!pem(shown(port, trusted)).equals(certificate)) {
            assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(WITHIN_NANOS);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String pem(X509Certificate certificate) throws Exception {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n";
    }
}
