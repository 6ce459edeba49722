package dev.doyen.hub.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.step.NodeEffect;
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
    /** A ttl that is so long that a node stays a member even if this JVM pauses for a while. */
    private static final Duration LONG_TTL = Duration.ofSeconds(20);

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

    @Test
    void a_node_that_has_missed_truncated_entries_joins_again() throws Exception {
        RedisServers.assumeInstalled();
        try (var redis = RedisServers.start(folder)) {
            var settings = new NodeSettings(
                    "redis://127.0.0.1:" + redis.port(),
                    "test",
                    LONG_TTL,
                    NodeSettings.MIN_LOG_ENTRIES,
                    100,
                    Duration.ofMinutes(2));
            try (var writing = new NodeLink(settings);
                    var busy = new NodeLink(settings)) {
                var written = new RecordingInputs(writing, CompletableFuture.completedFuture(null));
                writing.start(written);
                assertThat(written.received.take()).isEqualTo("joined");
                var idle = new CompletableFuture<Void>();
                var inputs = new RecordingInputs(busy, idle);
                busy.start(inputs);
                assertThat(inputs.received.take()).isEqualTo("joined");

                append(writing, written, 1, 1);
                assertThat(inputs.received.take()).isEqualTo(entry(1));
                // The busy node reads no further entry before its hub is idle.
                for (long first = 2; first < 3 * NodeSettings.MIN_LOG_ENTRIES; first += 100) {
                    append(writing, written, first, first + 99);
                }
                idle.complete(null);

                assertThat(inputs.received.take())
                        .isEqualTo("this node has missed entries that the nodes' log no longer contains; reconnect");
                assertThat(inputs.received.take()).isEqualTo("joined");
            }
        }
    }

    /** Appends entries with these numbers, and waits until the appending node has read them. */
    private static void append(NodeLink link, RecordingInputs inputs, long first, long last) throws Exception {
        for (long number = first; number <= last; number++) {
            link.carry(new NodeEffect.Append(
                    new Proposal(number, entry(number), null, "", -1, 0, "", List.of(), List.of())));
        }
        while (!inputs.received.take().equals(entry(last))) {
            // The node reads the entries in order.
        }
    }

    private static String entry(long number) {
        return ChangeText.head("a test", "a node", number) + "\n";
    }

    /** A hub that sends a snapshot to each joining node. It records all inputs except declined proposals. */
    private static final class RecordingInputs implements NodeInputs {
        private final NodeLink link;
        private final CompletableFuture<Void> processed;
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        /**
         * @param processed completes when the hub has processed its log entries
         */
        RecordingInputs(NodeLink link, CompletableFuture<Void> processed) {
            this.link = link;
            this.processed = processed;
        }

        @Override
        public CompletableFuture<Void> joined(Joined to) {
            received.add("joined");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> logged(List<Logged> entries) {
            for (Logged entry : entries) {
                JsonNode head = ChangeText.head(entry.text());
                if (head.path("kind").asText().equals("joined")) {
                    link.carry(new NodeEffect.Show(head.path("node").asText(), "a snapshot"));
                }
                received.add(entry.text());
            }
            return processed;
        }

        @Override
        public void declined(long number, Declined why) {}

        @Override
        public CompletableFuture<Void> outOfTouch(String why) {
            received.add(why);
            return CompletableFuture.completedFuture(null);
        }
    }

    /** A hub that needs two ttls to process the join. It records log entries and losses of the membership. */
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
