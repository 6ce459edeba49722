package dev.doyen.hub.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a node's link to the other nodes. The test starts its own Redis server. */
@Timeout(180)
class NodeLinkTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    @Test
    void a_node_whose_hub_reads_the_history_slowly_still_joins() throws Exception {
        RedisServers.assumeInstalled();
        try (var redis = RedisServers.start(folder)) {
            var settings = new NodeSettings(
                    "redis://127.0.0.1:" + redis.port(), "test", TTL, 10_000, 100, Duration.ofMinutes(2));
            try (var slow = new NodeLink(settings);
                    var second = new NodeLink(settings);
                    var third = new NodeLink(settings)) {
                var inputs = new SlowInputs();
                slow.start(inputs);
                inputs.joined.get();

                // Each node that joins appends an entry. The slow node may have received the first entry before it
                // lost its membership. So only a second entry proves that the slow node is still a member.
                second.start(new SlowInputs());
                assertThat(inputs.received.take()).isEqualTo("an entry");
                third.start(new SlowInputs());
                assertThat(inputs.received.take()).isEqualTo("an entry");
            }
        }
    }

    @Test
    void a_node_whose_hub_throws_an_Error_joins_again() throws Exception { // L8
        RedisServers.assumeInstalled();
        try (var redis = RedisServers.start(folder)) {
            var settings = new NodeSettings(
                    "redis://127.0.0.1:" + redis.port(), "test", TTL, 10_000, 100, Duration.ofMinutes(2));
            var failing = new AtomicBoolean(true);
            var again = new CountDownLatch(1);
            try (var link = new NodeLink(settings)) {
                link.start(new SlowInputs() {
                    @Override
                    public CompletableFuture<Void> joined(Joined to) {
                        if (failing.getAndSet(false)) {
                            throw new OutOfMemoryError("on purpose");
                        }
                        again.countDown();
                        return CompletableFuture.completedFuture(null);
                    }
                });

                assertThat(again.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** A hub that needs two ttls to process the join, and records all later inputs. */
    private static class SlowInputs implements NodeInputs {
        private final CompletableFuture<Void> joined = new CompletableFuture<>();
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @Override
        public CompletableFuture<Void> joined(Joined to) {
            return joined.completeOnTimeout(null, 2 * TTL.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public CompletableFuture<Void> logged(List<Logged> entries) {
            received.add("an entry");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void declined(long number, Declined why) {}

        @Override
        public CompletableFuture<Void> outOfTouch(String why) {
            received.add(why);
            return CompletableFuture.completedFuture(null);
        }
    }
}
