package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.event.Leader;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests an event stream whose client reads nothing, so that all buffers become full. */
@Timeout(180)
final class StalledReaderTest {

    private static final int LONG_NAME = 32 * 1024;

    /**
     * The maximum number of changes that the test sends. This number of changes does not fit into the kernel's socket
     * buffers, which hold only a few MB.
     */
    private static final int MOST_CHANGES = 2_000;

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    private final EventLoopGroup sockets = Ports.sockets(1, "stalled-reader");
    private final Ports ports = new Ports(TlsSettings.NONE);

    @AfterEach
    void close() {
        ports.close();
        Ports.end(sockets);
    }

    @Test
    void a_stalled_reader_is_dropped_and_others_continue() throws Exception {
        var handler = new ElectorHandler(
                new Elector(new NobodyYet(), ElectorSettings.of("e", "series", AdminAccess.REFUSED)), sockets.next());
        var address = ports.open(
                Port.ELECTOR,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                sockets,
                handler,
                new ConnectionLimit(10, AddressLimits.DEFAULT));
        try (var stalled = new RawSocket(address, 4_096);
                var other = new Socket(address.getAddress(), address.getPort())) {
            stalled.send("GET /sse HTTP/1.0\r\n\r\n").readThrough("\n\n");
            other.setSoTimeout(60_000);
            other.getOutputStream().write("GET /sse HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            var reading = new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8));
            nextEvent(reading);
            assertThat(handler.openStreams()).isEqualTo(2);

            int changes = 0;
            while (handler.openStreams() == 2) {
                assertThat(++changes)
                        .as("changes sent to a client that does not read")
                        .isLessThan(MOST_CHANGES);
                changeAndRead(handler, changes, reading);
            }

            changeAndRead(handler, changes + 1, reading);
            assertThat(handler.openStreams()).isEqualTo(1);
            assertThat((long) changes * LONG_NAME)
                    .as("bytes that were sent before the client was dropped")
                    .isGreaterThan(64 * 1024);
            assertThat(stalled.readAll()).doesNotContain(name(changes + 1));
        }
    }

    private static void changeAndRead(ElectorHandler handler, int change, BufferedReader reading) throws Exception {
        handler.electionChanged(new ElectionView("e", Optional.of(new Leader(name(change), change)), change, NOW, NOW));
        assertThat(nextEvent(reading)).startsWith("data: {\"name\":\"" + change + "-x");
    }

    private static String nextEvent(BufferedReader reading) throws Exception {
        var line = reading.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = reading.readLine();
        }
        return String.valueOf(line);
    }

    private static String name(int change) {
        return change + "-" + "x".repeat(LONG_NAME);
    }

    private static final class NobodyYet implements Elections {
        @Override
        public Optional<ElectionView> find(String name) {
            return Optional.of(new ElectionView("e", Optional.empty(), 0, NOW, NOW));
        }

        @Override
        public List<ElectionView> list() {
            return List.of();
        }
    }
}
