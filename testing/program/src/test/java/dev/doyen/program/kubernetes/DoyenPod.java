package dev.doyen.program.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.sidecar.driver.AppSigns;
import dev.doyen.sidecar.driver.Sidecar;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A pod with Doyen's sidecar, which the test queries over HTTP like an app. */
final class DoyenPod implements Competitor {

    static final Duration TTL = Duration.ofSeconds(6);

    private final ElectorCluster cluster;
    private final String pod;
    private final Sidecar sidecar;
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile boolean ended;

    DoyenPod(ElectorCluster cluster, Path kubeconfig, String pod) throws Exception {
        this(cluster, kubeconfig, pod, 0);
    }

    DoyenPod(ElectorCluster cluster, Path kubeconfig, String pod, long generation) throws Exception {
        this.cluster = cluster;
        this.pod = pod;
        cluster.makePod(pod);
        var anywhere = new ListenAddress("127.0.0.1", 0);
        sidecar = Sidecar.start(
                new SidecarSettings(
                        cluster.election(),
                        pod,
                        TTL,
                        generation,
                        Mode.LEASE,
                        Release.AT_ONCE,
                        Duration.ofSeconds(30),
                        OptionalInt.empty(),
                        AdminAccess.LOOPBACK),
                new Sidecar.Addresses(anywhere, anywhere, Optional.empty(), TlsSettings.NONE, AuditLog.NONE),
                "kubernetes:" + cluster.namespace() + "?pod=" + pod + "&timeout-millis=1200&kubeconfig=" + kubeconfig,
                Optional.empty(),
                AppSigns.ofPort(OptionalInt.empty()));
    }

    @Override
    public String pod() {
        return pod;
    }

    @Override
    public Optional<String> named() {
        try {
            return Optional.of(request("/").path("name").asText());
        } catch (IOException e) {
            if (ended) {
                return Optional.empty();
            }
            throw new IllegalStateException(pod + " does not answer", e);
        }
    }

    /**
     * Returns the response of {@code /v1/elections/NAME}. A field is missing if the elector does not have its value
     * yet.
     */
    JsonNode election() throws IOException {
        return request("/v1/elections/" + cluster.election());
    }

    /** Returns the answer of the sidecar's readiness probe. */
    boolean isReady() {
        try {
            return send(sidecar.probeAddress().getPort(), "/readyz").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    String metrics() throws IOException {
        return get(sidecar.probeAddress().getPort(), "/metrics");
    }

    @Override
    public void end() throws Exception {
        sidecar.leave();
        sidecar.await();
        ended = true;
        sidecar.close();
        cluster.deletePod(pod);
    }

    private JsonNode request(String path) throws IOException {
        return Account.json(get(sidecar.electorAddress().getPort(), path));
    }

    private String get(int port, String path) throws IOException {
        return send(port, path).body();
    }

    private HttpResponse<String> send(int port, String path) throws IOException {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
