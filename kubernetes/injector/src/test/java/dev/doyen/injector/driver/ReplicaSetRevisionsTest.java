package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.doyen.injector.Revision;
import dev.doyen.stores.kubernetes.rest.BearerToken;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests reads of revisions, with an API server that answers, rejects or never answers. */
class ReplicaSetRevisionsTest {

    private static final String READ = "/apis/apps/v1/namespaces/shop/replicasets/";

    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<HttpExchange> silent = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        silent.forEach(HttpExchange::close);
        server.stop(0);
    }

    @Test
    void the_revision_of_a_ReplicaSet_is_read() throws Exception { // M8
        assertThat(read(revisions(Duration.ofMinutes(1)), "seven")).isEqualTo(new Revision(7, Optional.empty()));
        assertThat(paths).containsExactly(READ + "seven");
    }

    @Test
    void a_rejected_read_results_in_a_warning() throws Exception { // M8
        assertThat(read(revisions(Duration.ofMinutes(1)), "forbidden").warning().orElseThrow())
                .contains("the API server answered 403: no right to get replicasets", "set annotation");
    }

    @Test
    void a_read_without_an_answer_ends_with_a_warning() throws Exception { // M8
        assertThat(read(revisions(Duration.ofMillis(100)), "silent").warning().orElseThrow())
                .containsAnyOf("request timed out", "no complete answer within 100 ms");
        assertThat(ReplicaSetRevisions.TIMEOUT)
                .as("less than the timeoutSeconds of the webhook")
                .isLessThan(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource({"shop,../secrets/a", "shop,a?b", "shop,''", "../x,a", "'',a"})
    void an_invalid_name_is_never_part_of_a_path(String namespace, String name) throws Exception { // M8
        var revision = revisions(Duration.ofMinutes(1)).read(namespace, name).get(60, TimeUnit.SECONDS);
        assertThat(revision.warning().orElseThrow()).contains("is invalid");
        assertThat(paths).isEmpty();
    }

    @Test
    void the_65th_read_at_the_same_time_does_not_wait() throws Exception { // M8
        var revisions = revisions(Duration.ofMinutes(1));
        var open = new ArrayList<CompletableFuture<Revision>>();
        for (int i = 0; i < ReplicaSetRevisions.MAX_READS; i++) {
            open.add(revisions.read("shop", "silent"));
        }
        assertThat(revisions
                        .read("shop", "seven")
                        .get(60, TimeUnit.SECONDS)
                        .warning()
                        .orElseThrow())
                .contains("already reads 64 ReplicaSets");
        // The connections fail, and each failed read permits another read.
        server.stop(0);
        for (var each : open) {
            assertThat(each.get(60, TimeUnit.SECONDS).warning()).isPresent();
        }
        assertThat(read(revisions, "seven").warning().orElseThrow()).doesNotContain("already reads");
    }

    private static Revision read(ReplicaSetRevisions revisions, String name) throws Exception {
        return revisions.read("shop", name).get(60, TimeUnit.SECONDS);
    }

    private ReplicaSetRevisions revisions(Duration timeout) throws Exception {
        var cluster = new Cluster(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                SSLContext.getDefault(),
                BearerToken.none(),
                "default");
        return new ReplicaSetRevisions(new KubernetesApi(cluster, timeout));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        paths.add(path);
        if (path.equals(READ + "seven")) {
            send(exchange, 200, "{\"metadata\": {\"annotations\": {\"deployment.kubernetes.io/revision\": \"7\"}}}");
        } else if (path.equals(READ + "forbidden")) {
            send(exchange, 403, "{\"message\": \"no right to get replicasets\"}");
        } else {
            silent.add(exchange);
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
