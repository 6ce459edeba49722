package dev.doyen.examples.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.jvms.JvmProcess;
import dev.doyen.jvms.Patience;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the holder among three nodes several times, and then suspends a holder once. A seed determines the random delays
 * before these faults. Each node must receive every line once.
 */
@Timeout(900)
class FeedNodeTest {

    private static final long SEED = 11;
    private static final int KILLS = Integer.getInteger("kills", 8);
    private static final int NODES = 3;
    private static final int LINES_PER_SECOND = 2000;
    private static final int MAX_LINES_HELD = 2500;
    private static final int TAIL_BYTES = 1024;
    private static final String HOLDS = "holds in term ";
    private static final String TTL = "PT1S";
    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(3));

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final NavigableMap<Long, JvmProcess> holders = new ConcurrentSkipListMap<>();
    private final Map<Integer, JvmProcess> nodes = new HashMap<>();
    private List<Integer> ports = List.of();
    private long lastTerm;

    @Test
    void each_receiver_gets_every_line_once_after_any_kill() throws Exception {
        try (var held = HeldPorts.withAnother(1);
                var feed = new Feed(0, LINES_PER_SECOND)) {
            ports = held.take(NODES);
            held.close();
            for (int node = 0; node < NODES; node++) {
                start(node, feed);
            }
            for (int kill = 0; kill < KILLS; kill++) {
                JvmProcess atWork = holderAtWork(feed);
                // Every second holder is killed only after a node has received a line of its term.
                if (kill % 2 == 0) {
                    PATIENCE.await("a receiver has a line of the last term", () -> lastTermReceived() >= lastTerm);
                }
                int holder = number(atWork);
                nodes.get(holder).close();
                start(holder, feed);
            }
            int frozen = number(holderAtWork(feed));
            nodes.get(frozen).stop();
            holderAtWork(feed);
            nodes.get(frozen).goOn();
            long last = feed.end();
            for (int node = 0; node < NODES; node++) {
                Path log = log(node);
                PATIENCE.await(
                        "the last line is at " + node, () -> lastLine(log).endsWith(" " + Feed.line(last)));
            }
            Set<Long> delivered = new HashSet<>();
            for (int node = 0; node < NODES; node++) {
                delivered.addAll(check(Files.readAllLines(log(node)), last));
            }
            assertThat(delivered).as("terms in which the holder sent a line").hasSizeGreaterThan(KILLS / 4);
        } finally {
            for (JvmProcess node : nodes.values()) {
                node.close();
            }
        }
    }

    /** Checks the log and returns the terms of the log's lines. */
    private static List<Long> check(List<String> log, long last) throws IOException {
        List<Long> terms = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        for (String each : log) {
            TermLine termLine = TermLine.parse(each);
            terms.add(termLine.term());
            lines.add(termLine.line());
        }
        assertThat(lines)
                .isEqualTo(LongStream.rangeClosed(1, last).mapToObj(Feed::line).toList());
        assertThat(terms).as("the terms of the lines never decrease").isSorted();
        return terms;
    }

    /** Waits for a new holder and for some of its first lines, and then returns the holder. */
    private JvmProcess holderAtWork(Feed feed) throws Exception {
        PATIENCE.await("another node becomes the holder", () -> {
            var latest = holders.lastEntry();
            return latest != null && latest.getKey() > lastTerm && nodes.containsValue(latest.getValue());
        });
        lastTerm = holders.lastKey();
        long lines = feed.sent() + 1 + random.nextInt(MAX_LINES_HELD);
        PATIENCE.await("the holder has sent enough lines", () -> feed.sent() >= lines);
        LockSupport.parkNanos(random.nextInt(20_000_000));
        return holders.get(lastTerm);
    }

    private int number(JvmProcess node) {
        return nodes.entrySet().stream()
                .filter(each -> each.getValue().equals(node))
                .findAny()
                .orElseThrow()
                .getKey();
    }

    private void start(int node, Feed feed) throws IOException {
        InetSocketAddress address = feed.address();
        var builder = JvmProcess.builder(
                FeedNode.class,
                List.of(
                        "--feed",
                        "127.0.0.1:" + address.getPort(),
                        "--store",
                        "file:" + folder.resolve("leases"),
                        "--listen",
                        "127.0.0.1:" + ports.get(node),
                        "--log",
                        log(node).toString(),
                        "--ttl",
                        TTL));
        var started = new JvmProcess(
                "node-" + node,
                builder.redirectError(JvmProcess.to("nodes.log")).start());
        nodes.put(node, started);
        started.onLine(line -> {
            if (line.startsWith(HOLDS)) {
                holders.put(Long.parseLong(line.substring(HOLDS.length())), started);
            }
        });
    }

    /** Returns the term of the newest line that a node has received, or 0 if no node has received a line. */
    private long lastTermReceived() throws IOException {
        long last = 0;
        for (int node = 0; node < NODES; node++) {
            List<String> tail = Files.exists(log(node)) ? completeLinesAtTheEnd(log(node)) : List.of();
            if (!tail.isEmpty()) {
                last = Math.max(last, TermLine.parse(tail.get(tail.size() - 1)).term());
            }
        }
        return last;
    }

    /** Returns the complete lines at the end of the log. Only the end is read, because the log is read many times. */
    private static List<String> completeLinesAtTheEnd(Path log) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - TAIL_BYTES));
            var tail = new byte[TAIL_BYTES];
            int read = Math.max(0, file.read(tail));
            List<String> parts = List.of(new String(tail, 0, read, StandardCharsets.UTF_8).split("\n", -1));
            // The first and the last part can be incomplete lines.
            return parts.size() < 3 ? List.of() : parts.subList(1, parts.size() - 1);
        }
    }

    private Path log(int node) {
        return folder.resolve("log-" + node);
    }

    private static String lastLine(Path log) throws IOException {
        String text = Files.readString(log, StandardCharsets.UTF_8).stripTrailing();
        return text.substring(text.lastIndexOf('\n') + 1);
    }
}
