package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Yamls;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the injector with certificates that are valid for 45 s, on a real API server.
 *
 * <p>The injector renews a certificate after 30 s, so it has 15 s for the renewal on a busy machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookCertificateTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long WITHIN_NANOS = TimeUnit.SECONDS.toNanos(120);

    private Cluster cluster;
    private ServerProcess injector;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        cluster = Cluster.start(directory);
        injector = cluster.startInjector("--sidecar=native", "--check-interval=200ms", "--certificate-life=45s");
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void certificates_are_renewed_without_a_restart_or_a_rejected_request() throws Exception {
        var shown = new LinkedHashSet<String>();
        long start = System.nanoTime();
        while (shown.size() < 2) {
            assertThat(System.nanoTime() - start)
                    .as("nanoseconds until enough certificates were served; served: " + shown)
                    .isLessThan(WITHIN_NANOS);
            // The answer is always an error. If the API server cannot call the webhook, the error names the webhook.
            // Otherwise this old API server rejects the native sidecar that the webhook has added.
            var answer = cluster.admin().post("/api/v1/namespaces/default/pods?dryRun=All", Cluster.labelledPod());
            assertThat(answer.body().path("message").asText())
                    .contains("initContainers[0].startupProbe")
                    .doesNotContain("webhook");
            // This call opens a new connection, which trusts only the authorities in the current webhook configuration.
            shown.add(callWebhook().certificate().toString());
        }
    }

    @Test
    void the_response_contains_the_native_sidecar() throws Exception {
        var answer = callWebhook().body();
        assertThat(answer.at("/response/allowed").asBoolean()).isTrue();
        var patch = JSON.readTree(
                Base64.getDecoder().decode(answer.at("/response/patch").asText()));
        JsonNode initContainers = null;
        for (var operation : patch) {
            if (operation.path("path").asText().equals("/spec/initContainers")) {
                initContainers = operation.path("value");
            }
        }
        assertThat(initContainers).hasSize(1);
        assertThat(initContainers.at("/0/restartPolicy").asText()).isEqualTo("Always");
        // The other fields of the container are the same as in InjectorOnKubernetesTest, without the API server's
        // default values.
        ObjectNode stored = (ObjectNode)
                Yamls.read(Path.of("src/test/resources/elector-on-1.20.yaml")).get(0);
        stored.remove("terminationMessagePath");
        stored.remove("terminationMessagePolicy");
        stored.withObject("/startupProbe").remove("successThreshold");
        stored.withObject("/startupProbe").remove("timeoutSeconds");
        stored.put("restartPolicy", "Always");
        // Only a plain container waits for the end of the application.
        removeVariable(stored, "ELECTOR_RELEASE");
        removeVariable(stored, "ELECTOR_GRACE");
        // This pod belongs to no ReplicaSet. So its elector has no generation, and readiness does not wait for it.
        removeVariable(stored, "ELECTOR_GENERATION");
        stored.remove("readinessProbe");
        assertThat(initContainers.get(0)).isEqualTo(stored);
    }

    private static void removeVariable(ObjectNode container, String name) {
        var variables = container.withArray("/env").elements();
        while (variables.hasNext()) {
            if (variables.next().path("name").asText().equals(name)) {
                variables.remove();
                return;
            }
        }
        throw new AssertionError(name + " is not in " + container.get("env"));
    }

    /** Sends a request to the webhook in the same way as an API server with the current configuration. */
    private Answer callWebhook() throws Exception {
        var configuration =
                cluster.admin().get(Cluster.WEBHOOKS + "/elector-injector").body();
        var review =
                JSON.createObjectNode().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        var request = review.putObject("request").put("uid", "u-1").put("namespace", "shop");
        request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
        request.set("object", Cluster.labelledPod());
        var connection = (HttpsURLConnection) URI.create("https://localhost:" + injector.port() + "/inject")
                .toURL()
                .openConnection();
        connection.setSSLSocketFactory(Handshake.trusting(
                        configuration.at("/webhooks/0/clientConfig/caBundle").binaryValue())
                .getSocketFactory());
        // Use a new connection for each request, because the webhook limits the number of open connections.
        connection.setRequestProperty("Connection", "close");
        connection.setDoOutput(true);
        Certificate shown;
        try (var out = connection.getOutputStream()) {
            shown = connection.getServerCertificates()[0];
            out.write(JSON.writeValueAsBytes(review));
        }
        try (var in = connection.getInputStream()) {
            return new Answer(JSON.readTree(in), shown);
        } finally {
            connection.disconnect();
        }
    }

    private record Answer(JsonNode body, Certificate certificate) {}
}
