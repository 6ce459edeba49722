package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.doyen.stores.kubernetes.rest.BearerToken;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseWatchesTest {

    @TempDir
    private Path directory;

    @Test
    void a_watch_that_fails_with_an_Error_is_restarted() throws Exception { // L8
        Path token = Files.writeString(directory.resolve("token"), "t");
        var begun = new CountDownLatch(3);
        var cluster = new Cluster(
                URI.create("https://127.0.0.1:1"),
                SSLContext.getDefault(),
                BearerToken.in(token, () -> {
                    begun.countDown();
                    throw new OutOfMemoryError("on purpose");
                }),
                "default");
        try (var watches = new LeaseWatches(new KubernetesApi(cluster, Duration.ofSeconds(1)))) {
            assertThat(watches.watch("e", () -> {})).isPresent();

            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_stream_that_ends_at_once_counts_as_failed() throws Exception {
        var lists = new CountDownLatch(2);
        try (var server = new FakeApiServer(exchange -> endStreams(exchange, lists));
                var watches = new LeaseWatches(new KubernetesApi(server.cluster(), Duration.ofSeconds(60)))) {
            assertThat(watches.watch("e", () -> {})).isPresent();

            assertThat(lists.await(60, TimeUnit.SECONDS))
                    .as("after two failures in a row, the watch lists the Lease again")
                    .isTrue();
        }
    }

    private static void endStreams(HttpExchange exchange, CountDownLatch lists) throws IOException {
        if (exchange.getRequestURI().getQuery().contains("watch=1")) {
            FakeApiServer.answer(exchange, 200, "");
        } else {
            lists.countDown();
            FakeApiServer.answer(exchange, 200, "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
        }
    }
}
