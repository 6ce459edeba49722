package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.step.Claimant;
import dev.doyen.jvms.Patience;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that no socket, listener, thread or buffer remains after clients have disappeared. */
final class VanishingClientsTest {

    private static final int CLIENTS = 200;
    /** The server detects a closed socket after a delay. */
    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(60));

    private static final Logger LEAK_LOG = Logger.getLogger(ResourceLeakDetector.class.getName());

    private final List<String> leaks = new CopyOnWriteArrayList<>();
    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();
    private final Handler leakHandler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            leaks.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void watchForLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        LEAK_LOG.addHandler(leakHandler);
    }

    @AfterEach
    void stopWatching() {
        LEAK_LOG.removeHandler(leakHandler);
        ResourceLeakDetector.setLevel(levelBefore);
    }

    @Test
    void two_hundred_lost_event_streams_leave_no_state() throws Exception {
        try (var server = new RunningServer()) {
            vanish(server, 5);
            long filesBefore = openFiles();
            int threadsBefore = Thread.activeCount();

            vanish(server, CLIENTS);

            PATIENCE.await("no more open files than before", () -> openFiles() <= filesBefore);
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(threadsBefore);
        }
        provokeLeakReports();
        assertThat(leaks).isEmpty();
    }

    @Test
    void two_hundred_lost_web_sockets_leave_no_state() throws Exception {
        try (var server = new RunningServer()) {
            vanishWebSockets(server, 5);
            long filesBefore = openFiles();
            int threadsBefore = Thread.activeCount();

            vanishWebSockets(server, CLIENTS);

            PATIENCE.await("no more open files than before", () -> openFiles() <= filesBefore);
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(threadsBefore);
        }
        provokeLeakReports();
        assertThat(leaks).isEmpty();
    }

    private static void vanish(RunningServer server, int clients) throws Exception {
        var sockets = new ArrayList<RawSocket>();
        for (int client = 0; client < clients; client++) {
            var socket = new RawSocket(server.electorAddress());
            sockets.add(socket);
            socket.send("GET " + (client % 2 == 0 ? "/sse?heartbeat=1s" : "/v1/elections/counter/events")
                    + " HTTP/1.1\r\nHost: a\r\n\r\n");
            socket.readThrough("\n\n");
        }
        assertThat(server.server().openConnections()).isEqualTo(clients);
        assertThat(server.server().openStreams()).isEqualTo(clients);
        for (int client = 0; client < clients; client++) {
            if (client % 3 == 0) {
                sockets.get(client).close();
            } else {
                sockets.get(client).vanish();
            }
            if (client == clients / 2) {
                // The claim makes the server write to all sockets. At this moment, the clients have closed about half
                // of the sockets.
                server.claims().claim(new Claimant("counter", "anna", "c" + server.hashCode() + clients));
            }
        }
        server.claims().holder("counter").ifPresent(server.claims()::release);
        PATIENCE.await("no open connection", () -> server.server().openConnections() == 0);
        PATIENCE.await("no open stream", () -> server.server().openStreams() == 0);
    }

    private static void vanishWebSockets(RunningServer server, int clients) throws Exception {
        var sockets = new ArrayList<RawWebSocket>();
        for (int client = 0; client < clients; client++) {
            sockets.add(server.connected(client % 2 == 0 ? "" : "?format=msgpack"));
        }
        assertThat(server.server().openConnections()).isEqualTo(clients);
        for (int client = 0; client < clients; client++) {
            if (client % 10 == 0) {
                sockets.get(client).send("{\"action\":15,\"channel\":\"c\",\"id\":\"to all\"}");
            }
            if (client % 3 == 0) {
                sockets.get(client).close();
            } else {
                sockets.get(client).vanish();
            }
        }
        for (int client = 0; client < clients; client++) {
            assertThat(server.hub().nextInputOf("lost")).startsWith("lost");
        }
        PATIENCE.await("no open connection", () -> server.server().openConnections() == 0);
    }

    private static long openFiles() {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes the leak detector report lost buffers.
     *
     * <p>When a buffer is allocated, the detector reports the lost buffers that the garbage collector has collected.
     */
    private static void provokeLeakReports() {
        for (int round = 0; round < 3; round++) {
            System.gc();
            for (int buffer = 0; buffer < 300; buffer++) {
                PooledByteBufAllocator.DEFAULT.buffer(64).release();
            }
        }
    }
}
