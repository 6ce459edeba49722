package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.server.RunningServer;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests peers that do not read, do not answer, or send too much. Small limits make the waits short. */
final class SlowAndSilentPeersTest {

    private static final String MESSAGE = "{\"action\":15,\"channel\":\"c\",\"id\":\"" + "m".repeat(50_000) + "\"}";

    private static SessionLimits limits(int maxQueuedBytes, long slowMillis, long pingMillis, long silentMillis) {
        return new SessionLimits(
                512 * 1024, 64, 1 << 20, 64 * 1024, maxQueuedBytes, slowMillis, pingMillis, silentMillis, 200);
    }

    @Test
    void a_reader_that_is_too_far_behind_is_dropped() throws Exception {
        try (var server = new RunningServer(limits(256 * 1024, 60_000, 10_000, 35_000));
                var sleeper = new RawWebSocket(server.hubAddress(), "", 4_096);
                var other = server.connected("")) {
            for (int sent = 0; sent < 200; sent++) {
                other.send(MESSAGE);
                assertThat(other.read().payload()).hasSizeGreaterThan(50_000);
            }

            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
            assertThat(server.refusals())
                    .as("the console shows the rejection")
                    .containsExactly(
                            "client-1 50003 this socket was dropped: more than 262144 bytes are unread; reconnect");
            other.send("{\"action\":0,\"id\":\"undisturbed\"}");
            assertThat(other.read().text()).contains("undisturbed");
            sleeper.readEnd();
        }
    }

    @Test
    void a_reader_that_stays_slow_is_dropped_after_its_time() throws Exception {
        try (var server = new RunningServer(limits(64 << 20, 300, 10_000, 35_000));
                var sleeper = new RawWebSocket(server.hubAddress(), "", 4_096);
                var other = server.connected("")) {
            for (int sent = 0; sent < 200; sent++) {
                other.send(MESSAGE);
                other.read();
            }

            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
            assertThat(server.refusals()).singleElement().asString().contains("less than 65536 bytes in 300 ms");
        }
    }

    @Test
    void a_dropped_reader_gets_the_reason_if_it_reads() throws Exception {
        var patient = new SessionLimits(512 * 1024, 64, 1 << 20, 64 * 1024, 256 * 1024, 60_000, 10_000, 35_000, 5_000);
        try (var server = new RunningServer(patient);
                var sleeper = new RawWebSocket(server.hubAddress(), "", 4_096);
                var other = server.connected("")) {
            for (int sent = 0; sent < 200; sent++) {
                other.send(MESSAGE);
                other.read();
            }
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");

            var frame = sleeper.read();
            var last = frame;
            while (frame.opcode() != RawWebSocket.CLOSE) {
                last = frame;
                frame = sleeper.read();
            }

            assertThat(last.text()).contains("\"action\":6", "bytes are unread");
        }
    }

    @Test
    void an_idle_peer_is_pinged_and_kept_by_its_pongs() throws Exception {
        try (var server = new RunningServer(limits(256 * 1024, 60_000, 250, 2_500));
                var socket = server.connected("")) {
            for (int pings = 0; pings < 12; pings++) {
                var frame = socket.readAnyFrame();
                assertThat(frame.opcode()).isEqualTo(RawWebSocket.PING);
                socket.sendFrame(0x80 | RawWebSocket.PONG, frame.payload());
            }
            socket.send("{\"action\":0,\"id\":\"alive\"}");
            assertThat(socket.read().text()).contains("alive");
        }
    }

    @Test
    void a_socket_that_the_hub_does_not_answer_is_dropped_although_its_peer_answers_pings() throws Exception {
        try (var server = new RunningServer(limits(256 * 1024, 60_000, 100, 1_000));
                var socket = new RawWebSocket(server.hubAddress(), "?key=ignore")) {
            var frame = socket.readAnyFrame();
            while (frame.opcode() == RawWebSocket.PING) {
                socket.sendFrame(0x80 | RawWebSocket.PONG, frame.payload());
                frame = socket.readAnyFrame();
            }
            assertThat(frame.text()).contains("\"action\":6", "the hub did not answer within 1000 ms");
        }
    }

    @Test
    void a_peer_that_answers_no_ping_is_dropped_with_a_reason() throws Exception {
        try (var server = new RunningServer(limits(256 * 1024, 60_000, 100, 300));
                var socket = server.connected("")) {
            assertThat(socket.read().text()).contains("\"action\":6", "not even a pong");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            socket.readEnd();
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
            assertThat(server.refusals()).singleElement().asString().contains("not even a pong");
        }
    }

    @Test
    void a_sender_is_not_read_while_the_hub_is_behind() throws Exception {
        try (var server = new RunningServer();
                var channel = SocketChannel.open();
                var selector = Selector.open()) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 64 * 1024);
            channel.connect(server.hubAddress());
            channel.write(ByteBuffer.wrap(RawWebSocket.handshake("/").getBytes(StandardCharsets.ISO_8859_1)));
            assertThat(server.hub().nextInputOf("opened")).startsWith("opened");
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
            write(channel, selector, frame(16, "campaign still"));

            var padding = "p".repeat(10_000);
            int whole = 0;
            ByteBuffer rest = null;
            while (rest == null && whole < 5_000) {
                var next = frame(0, whole + "-" + padding);
                if (write(channel, selector, next)) {
                    whole++;
                } else {
                    rest = next;
                }
            }

            // The test offers 50 MB. The kernel's buffers and the limits of the session accept only a small part.
            assertThat(whole).isLessThan(2_000);
            server.hub().goOn();
            assertThat(write(channel, selector, rest, 60_000)).isTrue();
            for (int expected = 0; expected <= whole; expected++) {
                assertThat(server.hub().nextInputOf("received 1 HEARTBEAT")).contains(" " + expected + "-p");
            }
        }
    }

    private static ByteBuffer frame(int action, String id) {
        var json = "{\"action\":" + action + ",\"id\":\"" + id + "\"}";
        return ByteBuffer.wrap(RawWebSocket.frame(0x80 | RawWebSocket.TEXT, json.getBytes(StandardCharsets.UTF_8)));
    }

    private static boolean write(SocketChannel channel, Selector selector, ByteBuffer bytes) throws Exception {
        return write(channel, selector, bytes, 500);
    }

    /** Returns true if everything was written without a pause longer than {@code pauseMillis}. */
    private static boolean write(SocketChannel channel, Selector selector, ByteBuffer bytes, long pauseMillis)
            throws Exception {
        var discarded = ByteBuffer.allocate(64 * 1024);
        while (bytes.hasRemaining()) {
            channel.read(discarded.clear());
            if (channel.write(bytes) == 0) {
                selector.selectedKeys().clear();
                if (selector.select(pauseMillis) == 0) {
                    return false;
                }
            }
        }
        return true;
    }
}
