package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.stores.kubernetes.rest.BearerToken;
import dev.doyen.stores.kubernetes.rest.Cluster;
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
}
