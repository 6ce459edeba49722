package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.support.SharedKey;
import dev.doyen.testkit.HeldPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests frames over TCP, and their loss when a connection breaks. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TcpWireTest {

    private final TestLimits limits = new TestLimits();
    private final Arrivals atA = new Arrivals();
    private final Arrivals atB = new Arrivals();
    private final WireLog log = new WireLog();
    private final List<TcpWire> wires = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        wires.forEach(TcpWire::close);
        log.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void frames_arrive_in_order_in_both_directions(boolean isSealed) throws Exception {
        Optional<SharedKey> key = isSealed ? Optional.of(WireKeys.KEY) : Optional.empty();
        TcpWire a = wire("127.0.0.1:0", key, atA);
        TcpWire b = wire("127.0.0.1:0", key, atB);
        for (int i = 1; i <= 1_000; i++) {
            a.peer(b.address()).send(numbered(i));
            b.peer(a.address()).send(numbered(-i));
        }
        List<Wire.Peer> senders = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            Arrivals.Arrival arrival = atB.next();
            assertThat(arrival.frame()).isEqualTo(numbered(i));
            senders.add(arrival.from());
            assertThat(atA.next().frame()).isEqualTo(numbered(-i));
        }
        // The wire sends answers on the connection of the request.
        for (int i = 1; i <= 1_000; i++) {
            senders.get(i - 1).send(numbered(10_000 + i));
        }
        for (int i = 1; i <= 1_000; i++) {
            assertThat(atA.next().frame()).isEqualTo(numbered(10_000 + i));
        }
        assertThat(log.waiting()).isEmpty();
    }

    @Test
    void the_longest_frame_arrives_and_a_longer_or_empty_one_is_not_sent() throws Exception {
        TcpWire a = wire(atA);
        TcpWire b = wire(atB);
        var longest = new byte[Wire.MAX_FRAME];
        longest[Wire.MAX_FRAME - 1] = 7;
        a.peer(b.address()).send(new byte[Wire.MAX_FRAME + 1]);
        a.peer(b.address()).send(new byte[0]);
        a.peer(b.address()).send(longest);

        assertThat(atB.next().frame()).isEqualTo(longest);
        assertThat(log.next()).startsWith("the sending of a frame failed");
        assertThat(log.next()).startsWith("the sending of a frame failed");
    }

    @Test
    void a_slow_reader_does_not_stop_the_sender_whose_queue_stays_bounded() throws Exception {
        limits.queuedBytes = (2 << 20) + 1_000;
        TcpWire a = wire(atA);
        try (var listening = listening()) {
            String slow = address(listening);
            a.peer(slow).send(numbered(0));
            try (RawPeer reader = RawPeer.accept(listening, WireKeys.KEY)) {
                assertThat(reader.read()).isEqualTo(numbered(0));
                var frame = new byte[1 << 20];
                // These are far more bytes than the queue and the system's buffers can hold, but no call blocks.
                for (int i = 0; i < 300; i++) {
                    a.peer(slow).send(frame);
                }
                // This frame is small enough to fit into the queue.
                a.peer(slow).send(numbered(1));
                assertThat(log.next())
                        .isEqualTo("frames to a process of the quorum were dropped (" + slow + "): it reads too slowly,"
                                + " so too many frames wait. Further events of this kind are not logged");

                int arrived = 0;
                byte[] next = reader.read();
                for (; next.length == frame.length; next = reader.read()) {
                    arrived++;
                }
                assertThat(next).isEqualTo(numbered(1));
                assertThat(arrived).isBetween(2, 200);
            }
        }
    }

    @Test
    void a_peer_that_does_not_read_its_answers_is_dropped() throws Exception {
        limits.queuedBytes = (2 << 20) + 1_000;
        TcpWire a = wire(atA);
        try (RawPeer slow = RawPeer.connect(a.address(), WireKeys.KEY)) {
            slow.writeFramed(slow.seal(text("question")));
            Wire.Peer client = atA.next().from();
            for (int i = 0; i < 300; i++) {
                client.send(new byte[1 << 20]);
            }
            slow.awaitEnd();
            assertThat(log.next()).contains("it reads too slowly");
        }
    }

    @Test
    void a_killed_peer_is_lost_once_and_reconnected_after_its_restart() throws Exception {
        try (var ports = HeldPorts.withAnother(1)) {
            int port = ports.take(1).get(0);
            ports.release(port);
            String address = "127.0.0.1:" + port;
            TcpWire a = wire(atA);
            TcpWire b = wire(address, Optional.of(WireKeys.KEY), atB);
            a.peer(address).send(text("before"));
            assertThat(atB.next().text()).isEqualTo("before");
            assertThat(a.isReachable(address)).isTrue();

            b.close();
            assertThat(atA.nextLost()).isEqualTo(address);
            assertThat(a.isReachable(address)).isFalse();

            wire(address, Optional.of(WireKeys.KEY), atB);
            a.peer(address).send(text("after"));
            assertThat(atB.next().text()).isEqualTo("after");
            assertThat(atA.waitingLost()).isZero();
        }
    }

    @Test
    void a_reset_connection_is_lost_and_reopened() throws Exception {
        TcpWire a = wire(atA);
        try (var listening = listening()) {
            a.peer(address(listening)).send(text("first"));
            try (RawPeer peer = RawPeer.accept(listening, WireKeys.KEY)) {
                assertThat(peer.read()).isEqualTo(text("first"));
                peer.reset();
            }
            assertThat(atA.nextLost()).isEqualTo(address(listening));

            a.peer(address(listening)).send(text("second"));
            try (RawPeer peer = RawPeer.accept(listening, WireKeys.KEY)) {
                assertThat(peer.read()).isEqualTo(text("second"));
            }
        }
    }

    @Test
    void a_missing_peer_is_lost_at_each_attempt() throws Exception {
        TcpWire a = wire(atA);
        String address;
        try (var gone = listening()) {
            address = address(gone);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(a.isReachable(address)).isFalse();
            a.peer(address).send(text("nobody gets this"));
            assertThat(atA.nextLost()).isEqualTo(address);
        }
    }

    @Test
    void frames_of_a_broken_connection_are_not_sent_on_the_next_one() throws Exception {
        TcpWire a = wire(atA);
        try (var listening = listening()) {
            a.peer(address(listening)).send(text("old"));
            // The wire has sent no frame yet, because no handshake took place.
            RawPeer.accept(listening).close();
            assertThat(atA.nextLost()).isEqualTo(address(listening));
            a.peer(address(listening)).send(text("new"));
            try (RawPeer peer = RawPeer.accept(listening, WireKeys.KEY)) {
                assertThat(peer.read()).isEqualTo(text("new"));
            }
        }
    }

    @Test
    void attempts_to_connect_have_a_delay() throws Exception {
        limits.reconnect = Duration.ofMillis(50);
        TcpWire a = wire(atA);
        try (var listening = listening()) {
            long start = System.nanoTime();
            for (int i = 0; i < 4; i++) {
                a.peer(address(listening)).send(text("x"));
                RawPeer.accept(listening).close();
                atA.nextLost();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
        }
    }

    @Test
    void an_idle_connection_sends_empty_frames() throws Exception {
        limits.keepAlive = Duration.ofMillis(1);
        TcpWire a = wire(atA);
        try (RawPeer peer = RawPeer.connect(a.address(), WireKeys.KEY)) {
            for (int i = 0; i < 3; i++) {
                assertThat(peer.read()).isEmpty();
                peer.writeFramed(peer.seal(new byte[0]));
            }
            peer.writeFramed(peer.seal(text("not empty")));
            assertThat(atA.next().text()).isEqualTo("not empty");
        }
    }

    @Test
    void a_connection_without_incoming_frames_is_closed() throws Exception {
        limits.silence = Duration.ofMillis(20);
        TcpWire a = wire(atA);
        try (RawPeer incoming = RawPeer.connect(a.address(), WireKeys.KEY);
                var listening = listening()) {
            incoming.awaitEnd();

            a.peer(address(listening)).send(text("x"));
            try (RawPeer outgoing = RawPeer.accept(listening, WireKeys.KEY)) {
                outgoing.awaitEnd();
                assertThat(atA.nextLost()).isEqualTo(address(listening));
            }
        }
    }

    @Test
    void close_ends_all_threads_and_connections() throws Exception {
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        var a = TcpWire.listening("127.0.0.1:0", Optional.empty(), Optional.of(WireKeys.KEY), limits.system(task -> {
            var made = new Thread(task);
            threads.add(made);
            return made;
        }));
        wires.add(a);
        a.start(atA);
        TcpWire b = wire(atB);
        String gone;
        try (var closed = listening()) {
            gone = address(closed);
        }
        // After the failed attempt, the connection's thread waits for the next frame.
        a.peer(gone).send(text("x"));
        assertThat(atA.nextLost()).isEqualTo(gone);
        try (var busy = listening();
                RawPeer stranger = RawPeer.connect(a.address())) {
            a.peer(b.address()).send(text("x"));
            b.peer(a.address()).send(text("x"));
            // The peer does not answer the handshake, so the connection's thread still waits for the answer.
            a.peer(address(busy)).send(text("x"));
            try (RawPeer unanswered = RawPeer.accept(busy)) {
                atA.next();
                atB.next();
                a.close();
                stranger.awaitEnd();
                unanswered.awaitEnd();
                assertThat(threads).hasSizeGreaterThanOrEqualTo(6);
                for (Thread thread : List.copyOf(threads)) {
                    assertThat(thread.isDaemon()).isTrue();
                    assertThat(thread.getName()).startsWith("doyen-quorum-");
                    thread.join(60_000);
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
        }
        assertThat(atA.waitingLost())
                .as("a process that ends reports no lost peer")
                .isZero();
        a.peer(b.address()).send(text("nobody gets this"));
        assertThat(threads).noneMatch(Thread::isAlive);
        new ServerSocket(port(a.address()), 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void a_connection_that_opens_after_the_close_is_closed() throws Exception {
        TcpWire a = wire(atA);
        a.close();
        try (var late = new Socket()) {
            assertThatThrownBy(() -> a.opened(late)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void after_close_the_port_is_free() throws Exception {
        try (var ports = HeldPorts.withAnother(1)) {
            int port = ports.take(1).get(0);
            ports.release(port);
            for (int i = 0; i < 100; i++) {
                TcpWire a = wire("127.0.0.1:" + port, Optional.of(WireKeys.KEY), atA);
                try (RawPeer peer = RawPeer.connect(a.address(), WireKeys.KEY)) {
                    a.close();
                    peer.awaitEnd();
                }
            }
        }
    }

    private TcpWire wire(Wire.Receiver receiver) {
        return wire("127.0.0.1:0", Optional.of(WireKeys.KEY), receiver);
    }

    private TcpWire wire(String address, Optional<SharedKey> key, Wire.Receiver receiver) {
        var wire = TcpWire.listening(address, Optional.empty(), key, limits.system());
        wires.add(wire);
        wire.start(receiver);
        return wire;
    }

    private static ServerSocket listening() throws Exception {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static String address(ServerSocket listening) {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Returns a frame that contains the number. The length of the frame depends on the number. */
    private static byte[] numbered(int number) {
        return ByteBuffer.allocate(Integer.BYTES + Math.abs(number) % 977)
                .putInt(number)
                .array();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
