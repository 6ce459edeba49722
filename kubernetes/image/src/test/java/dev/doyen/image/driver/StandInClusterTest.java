package dev.doyen.image.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.injector.driver.CertificateMaker;
import dev.doyen.stores.kubernetes.rest.PemTls;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StandInClusterTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/rehearsal/pods";

    @Test
    void a_watch_includes_changes_after_the_list_that_it_continues() throws Exception {
        var certificate =
                new CertificateMaker(List.of("localhost"), Duration.ofDays(30)).make(Instant.now(), Optional.empty());
        var trusting = HttpClient.newBuilder()
                .sslContext(PemTls.of(
                        Optional.of(certificate.authorities().getBytes(US_ASCII)), Optional.empty(), Optional.empty()))
                .build();
        try (var cluster = new StandInCluster(certificate)) {
            cluster.put(PODS + "/early", JSON.createObjectNode());
            JsonNode list = JSON.readTree(
                    trusting.send(request(cluster, ""), BodyHandlers.ofString()).body());
            cluster.put(PODS + "/between", JSON.createObjectNode());
            String since = list.at("/metadata/resourceVersion").asText();
            var watch = trusting.send(
                    request(cluster, "?watch=true&resourceVersion=" + since), BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
                assertThat(JSON.readTree(lines.readLine())
                                .at("/object/metadata/name")
                                .asText())
                        .isEqualTo("between");
            }
        }
    }

    private static HttpRequest request(StandInCluster cluster, String query) {
        return HttpRequest.newBuilder(URI.create(cluster.url() + PODS + query)).build();
    }
}
