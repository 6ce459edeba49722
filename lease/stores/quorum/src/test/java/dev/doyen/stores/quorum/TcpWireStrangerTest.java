package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.support.SharedKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests connections of processes without the secret, and of members that send malformed frames. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TcpWireStrangerTest {

    private static final String ONCE = ". Further events of this kind are not logged";
    private static final String CHANGED =
            "a frame cannot be decrypted; it was changed, repeated or reordered in transit";

    private final TestLimits limits = new TestLimits();
    private final Arrivals atA = new Arrivals();
    private final Arrivals atB = new Arrivals();
    private final WireLog log = new WireLog();
    private final List<TcpWire> wires = new ArrayList<>();

    @AfterEach
    void close() {
        wires.forEach(TcpWire::close);
        log.close();
    }

    @Test
    void a_peer_with_another_secret_is_rejected_and_both_sides_log_it() throws Exception {
        TcpWire a = wire(WireKeys.KEY, atA);
        TcpWire stranger = wire(WireKeys.OTHER, atB);
        for (int i = 0; i < FailedAttempts.REJECTIONS; i++) {
            stranger.peer(a.address()).send(text("top secret"));
            assertThat(atB.nextLost()).isEqualTo(a.address());
        }

        assertThat(List.of(log.next(), log.next()))
                .anySatisfy(line -> assertThat(line)
                        .matches(
                                "\\Qa connection of the quorum was closed (127.0.0.1:\\E[0-9]+\\Q): it did not prove that"
                                        + " it has the secret; if it is a member, give it the same secret" + ONCE
                                        + "\\E"))
                .contains("a connection of the quorum was closed (" + a.address()
                        + "): it closed the connection during the handshake 20 times in a row; check that both have the"
                        + " same secret" + ONCE);
        assertThat(atA.waiting()).isZero();

        stranger.peer(a.address()).send(text("again"));
        assertThat(atB.nextLost()).isEqualTo(a.address());
        assertThat(log.waiting()).as("once for each kind").isEmpty();
        assertThat(stranger.isReachable(a.address())).isFalse();
    }

    @Test
    void a_missing_secret_is_reported_by_both_sides() throws Exception {
        TcpWire a = wire(WireKeys.KEY, atA);
        TcpWire b = wire(null, atB);
        b.peer(a.address()).send(text("x"));
        assertThat(atB.nextLost()).isEqualTo(a.address());
        assertThat(List.of(log.next(), log.next()))
                .anySatisfy(line -> assertThat(line).contains("it has no secret and this process has one"))
                .anySatisfy(line -> assertThat(line).contains("it has a secret and this process has none"));
    }

    @Test
    void another_protocol_is_rejected() throws Exception {
        TcpWire a = wire(WireKeys.KEY, atA);
        try (RawPeer browser = RawPeer.connect(a.address())) {
            browser.write(text("GET /password HTTP/1.1\r\n\r\n"));
            browser.awaitEnd();
        }
        assertThat(log.next())
                .contains("it does not use the protocol of the quorum store")
                .doesNotContain("GET", "password");
    }

    @Test
    void long_frames_are_read_only_after_the_proof_of_the_secret() throws Exception {
        TcpWire a = wire(WireKeys.KEY, atA);
        for (int length : new int[] {17, 1_001, Integer.MAX_VALUE, -1, 0}) {
            try (RawPeer stranger = RawPeer.connect(a.address())) {
                stranger.write(FrameCipher.hello(WireKeys.KEY));
                stranger.write(ByteBuffer.allocate(4).putInt(length).array());
                // The stranger has sent only the length of the frame, and the member does not wait for the other bytes.
                stranger.awaitEnd();
            }
        }
        assertThat(log.next()).contains("its first frame is not empty");
    }

    @Test
    void a_silent_connection_is_closed() throws Exception {
        limits.proof = Duration.ofMillis(20);
        TcpWire a = wire(WireKeys.KEY, atA);
        try (RawPeer silent = RawPeer.connect(a.address())) {
            silent.awaitEnd();
        }
        assertThat(log.next()).contains("it did not finish the handshake in time");
        try (RawPeer halfway = RawPeer.connect(a.address())) {
            halfway.write(FrameCipher.hello(WireKeys.KEY));
            halfway.awaitEnd();
        }
    }

    /** Each byte arrives in time, but the whole handshake takes too long. */
    @Test
    void a_slow_sender_does_not_extend_the_handshake() {
        var slow = new SlowSocket(FrameCipher.hello(WireKeys.KEY));
        assertThatThrownBy(() -> Handshake.accepting(slow, WireKeys.KEY, Duration.ofMillis(20)))
                .isInstanceOf(RefusedPeerException.class)
                .hasMessageContaining("it did not finish the handshake in time");
        assertThat(slow.timeouts.get(0)).isBetween(1, 21);
        for (int i = 1; i < slow.timeouts.size(); i++) {
            assertThat(slow.timeouts.get(i)).isLessThan(slow.timeouts.get(i - 1));
        }
    }

    @Test
    void unproved_connections_are_limited_and_do_not_exclude_proved_ones() throws Exception {
        limits.unproved = 1;
        TcpWire a = wire(WireKeys.KEY, atA);
        try (RawPeer member = RawPeer.connect(a.address(), WireKeys.KEY)) {
            // This frame proves that the member has the secret, so its connection does not count toward the limit of
            // unproved connections.
            member.writeFramed(member.seal(text("here")));
            assertThat(atA.next().text()).isEqualTo("here");
            try (RawPeer first = RawPeer.connect(a.address());
                    RawPeer second = RawPeer.connect(a.address())) {
                second.awaitEnd();
                assertThat(log.next())
                        .matches("\\Qa connection to this member of the quorum was refused (127.0.0.1:\\E[0-9]+\\Q): 1"
                                + " other connections have not proved yet that they have the secret, which is the limit of this process"
                                + ONCE + "\\E");

                // An invalid hello ends this connection. The wire then accepts the next unproved connection.
                first.write(new byte[FrameCipher.HELLO_BYTES]);
                first.awaitEnd();
            }
            member.writeFramed(member.seal(text("still here")));
            assertThat(atA.next().text()).isEqualTo("still here");
            try (RawPeer other = RawPeer.connect(a.address(), WireKeys.KEY)) {
                other.writeFramed(other.seal(text("me too")));
                assertThat(atA.next().text()).isEqualTo("me too");
            }
        }
    }

    @Test
    void connections_are_limited() throws Exception {
        limits.incoming = 2;
        TcpWire a = wire(WireKeys.KEY, atA);
        try (RawPeer first = RawPeer.connect(a.address(), WireKeys.KEY);
                RawPeer second = RawPeer.connect(a.address(), WireKeys.KEY);
                RawPeer third = RawPeer.connect(a.address())) {
            third.awaitEnd();
            assertThat(log.next()).contains("was refused", "2 other connections are open");
            for (RawPeer each : List.of(first, second)) {
                each.writeFramed(each.seal(text("x")));
                assertThat(atA.next().text()).isEqualTo("x");
            }
        }
    }

    @Test
    void a_frame_that_is_changed_repeated_reordered_or_sent_back_ends_the_connection() throws Exception {
        limits.keepAlive = Duration.ofMillis(1);
        TcpWire a = wire(WireKeys.KEY, atA);
        List<Tampering> ways = List.of(
                peer -> {
                    byte[] changed = peer.seal(text("second"));
                    changed[3] ^= 1;
                    return changed;
                },
                peer -> {
                    byte[] twice = peer.seal(text("second"));
                    peer.writeFramed(twice);
                    assertThat(atA.next().text()).isEqualTo("second");
                    return twice;
                },
                peer -> {
                    peer.seal(text("second"));
                    return peer.seal(text("third"));
                },
                RawPeer::readSealed);
        for (Tampering way : ways) {
            try (RawPeer peer = RawPeer.connect(a.address(), WireKeys.KEY)) {
                peer.writeFramed(peer.seal(text("first")));
                assertThat(atA.next().text()).isEqualTo("first");
                peer.writeFramed(way.frame(peer));
                peer.awaitEnd();
            }
        }
        assertThat(log.next()).contains(CHANGED);
        assertThat(log.waiting()).isEmpty();
        assertThat(atA.waiting()).isZero();
    }

    @Test
    void a_frame_with_an_invalid_length_ends_the_connection() throws Exception {
        TcpWire a = wire(WireKeys.KEY, atA);
        for (int length : new int[] {Wire.MAX_FRAME + 17, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 15}) {
            try (RawPeer peer = RawPeer.connect(a.address(), WireKeys.KEY)) {
                peer.write(ByteBuffer.allocate(4).putInt(length).array());
                peer.awaitEnd();
            }
        }
        assertThat(log.next()).contains("the length of a frame is not from 0 to 16777216 bytes");
    }

    @Test
    void a_frame_that_cannot_be_read_ends_the_connection_and_its_content_is_not_logged() throws Exception {
        TcpWire a = wire(WireKeys.KEY, new Wire.Receiver() {
            @Override
            public void receive(Wire.Peer from, byte[] frame) {
                throw new MalformedBytesException("a kind is 4711");
            }

            @Override
            public void lost(String address) {}
        });
        for (int i = 0; i < 2; i++) {
            try (RawPeer peer = RawPeer.connect(a.address(), WireKeys.KEY)) {
                peer.writeFramed(peer.seal(text("malformed")));
                peer.awaitEnd();
            }
        }
        assertThat(log.next())
                .contains("it sent a frame that this process cannot read; run the same version of Doyen on all members")
                .doesNotContain("4711", "malformed");
        assertThat(log.waiting()).isEmpty();
    }

    private interface Tampering {
        byte[] frame(RawPeer peer) throws Exception;
    }

    private TcpWire wire(@Nullable SharedKey key, Wire.Receiver receiver) {
        var wire = TcpWire.listening("127.0.0.1:0", Optional.empty(), Optional.ofNullable(key), limits.system());
        wires.add(wire);
        wire.start(receiver);
        return wire;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A socket on which each byte takes at least 2 ms. */
    private static final class SlowSocket extends Socket {

        private final List<Integer> timeouts = new ArrayList<>();
        private final ByteArrayInputStream bytes;

        SlowSocket(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public synchronized void setSoTimeout(int millis) {
            timeouts.add(millis);
        }

        @Override
        public OutputStream getOutputStream() {
            return new ByteArrayOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                @Override
                public int read() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    long start = System.nanoTime();
                    while (System.nanoTime() - start < 2_000_000) {
                        Thread.onSpinWait();
                    }
                    return bytes.read(into, offset, 1);
                }
            };
        }
    }
}
