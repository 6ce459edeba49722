package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.support.SharedKey;
import dev.doyen.testkit.HeldPorts;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a member against a foreign process that uses JGroups and reaches the member's ports. The foreign process has
 * the secret only in {@code with_the_secret_no_java_object_is_read}.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StrangerTest {

    private static final String SECRET = "a secret of thirty-two characters";

    /** The timeout of each wait. It is long enough for a busy machine. */
    private static final int PATIENCE_MILLIS = 20_000;

    /** An object that reports its deserialization. It represents an object whose deserialization is harmful. */
    private static final class Trap implements Serializable {
        private static final long serialVersionUID = 1;
        static volatile CompletableFuture<Boolean> sprung = new CompletableFuture<>();

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            sprung.complete(true);
        }
    }

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);
    private final int port = held.take(1).get(0);

    @AfterEach
    void close() {
        held.close();
    }

    @Test
    void without_a_secret_no_java_object_is_read() throws Exception {
        Trap.sprung = new CompletableFuture<>();
        try (var member = open("");
                var stranger = connect(port)) {
            sendFrame(stranger, trap());
            assertThat(isEnded(stranger)).isTrue();
            assertThat(Trap.sprung).isNotDone();
            FilteredTcp transport = member.channel().getProtocolStack().findProtocol(FilteredTcp.class);
            assertThat(transport.objects().refused()).isEqualTo(1);
        }
    }

    @Test
    void with_the_secret_no_java_object_is_read() throws Exception {
        Trap.sprung = new CompletableFuture<>();
        try (var member = open(SECRET);
                var insider = connect(port)) {
            byte[] plain = trap();
            sendFrame(
                    insider,
                    new FrameCipher(SharedKey.of(SECRET, FrameCipher.PURPOSE, "test"))
                            .encrypt(FrameCipher.Line.MESSAGES, new IpAddress(loopback, port), plain, 0, plain.length));
            assertThat(isEnded(insider)).isTrue();
            assertThat(Trap.sprung).isNotDone();
            assertThat(incoming(member).refused()).isZero();
            EncryptedTcp transport = member.channel().getProtocolStack().findProtocol(EncryptedTcp.class);
            assertThat(transport.objects().refused()).isEqualTo(1);
        }
    }

    @Test
    void the_test_detects_java_objects_that_are_read() throws Exception {
        Trap.sprung = new CompletableFuture<>();
        byte[] message = java.util.Arrays.copyOfRange(trap(), 5, trap().length);
        new ObjectMessage().readFrom(new ByteArrayDataInputStream(message));
        assertThat(Trap.sprung).isCompletedWithValue(true);
    }

    @Test
    void java_objects_are_detected_by_their_first_bytes() {
        assertThat(SerializedObjectFilter.isIn(new byte[] {(byte) 0xac, (byte) 0xed, 0, 5}))
                .isTrue();
        assertThat(SerializedObjectFilter.isIn(new byte[] {1, (byte) 0xac, (byte) 0xac, (byte) 0xed, 0, 5, 7}))
                .isTrue();
        assertThat(SerializedObjectFilter.isIn(new byte[] {(byte) 0xac, (byte) 0xed, 0}))
                .isFalse();
        assertThat(SerializedObjectFilter.isIn(new byte[] {(byte) 0xac, (byte) 0xed, 0, 0, 5}))
                .isFalse();
        assertThat(SerializedObjectFilter.isIn(new byte[0])).isFalse();
    }

    @Test
    void with_a_secret_nothing_of_a_foreign_process_is_read() throws Exception {
        Trap.sprung = new CompletableFuture<>();
        try (var member = open(SECRET);
                var stranger = connect(port)) {
            sendFrame(stranger, trap());
            assertThat(isEnded(stranger)).isTrue();
            assertThat(Trap.sprung).isNotDone();
            assertThat(incoming(member).refused()).isEqualTo(1);
        }
    }

    @Test
    void the_failure_detection_port_reads_nothing_of_a_foreign_process() throws Exception {
        try (var member = open(SECRET);
                var stranger = connect(port + ClusterSettings.SUSPICION_OFFSET)) {
            sendFrame(stranger, written(new EmptyMessage()));
            assertThat(isEnded(stranger)).isTrue();
            assertThat(incoming(member).refused()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-6, 0, 3, FrameCipher.OVERHEAD - 1, FrameCipher.MAX_FRAME + 1, Integer.MAX_VALUE})
    void a_frame_with_an_impossible_length_ends_the_connection(int claimed) throws Exception {
        try (var member = open(SECRET)) {
            for (int each : new int[] {port, port + ClusterSettings.SUSPICION_OFFSET}) {
                try (var stranger = connect(each)) {
                    var out = new DataOutputStream(stranger.getOutputStream());
                    out.writeInt(claimed);
                    out.write(new byte[Math.min(Math.max(claimed, 0), FrameCipher.OVERHEAD)]);
                    out.flush();
                    assertThat(isEnded(stranger))
                            .as("the member closes the connection to port " + each)
                            .isTrue();
                }
            }
            assertThat(member.channel().getView().size()).isEqualTo(1);
        }
    }

    @Test
    void a_recorded_message_of_a_member_is_rejected() throws Exception {
        try (var member = open(SECRET)) {
            var other = new FrameCipher(SharedKey.of(SECRET, FrameCipher.PURPOSE, "test"));
            byte[] plain = "no message, but sealed".getBytes(StandardCharsets.UTF_8);
            byte[] frame =
                    other.encrypt(FrameCipher.Line.MESSAGES, new IpAddress(loopback, port), plain, 0, plain.length);
            try (var first = connect(port)) {
                sendFrame(first, frame);
                // Both copies of the frame use one connection, so the member decrypts the first copy before the
                // second.
                sendFrame(first, frame);
                assertThat(isEnded(first)).isTrue();
            }
            assertThat(incoming(member).refused()).isEqualTo(1);
            try (var again = connect(port)) {
                sendFrame(again, frame);
                assertThat(isEnded(again)).isTrue();
            }
            assertThat(incoming(member).refused()).isEqualTo(2);
        }
    }

    private ClusterMembership open(String secret) {
        var settings = ClusterSettings.local("test", "a").listeningOn(loopback, port);
        held.release(port);
        return ClusterMembership.open(secret.isEmpty() ? settings : settings.withSecret(secret));
    }

    private static IncomingFrames incoming(ClusterMembership member) {
        EncryptedTcp transport = member.channel().getProtocolStack().findProtocol(EncryptedTcp.class);
        return transport.incoming();
    }

    /** Connects, and sends JGroups' handshake with a false sender address. */
    private Socket connect(int at) throws IOException {
        var socket = new Socket(loopback, at);
        socket.setSoTimeout(PATIENCE_MILLIS);
        var address = new ByteArrayDataOutputStream();
        new IpAddress(loopback, 9).writeTo(address);
        var out = new DataOutputStream(socket.getOutputStream());
        out.write("bela".getBytes(StandardCharsets.US_ASCII));
        out.writeShort(Version.version);
        out.writeShort(address.position());
        out.write(address.buffer(), 0, address.position());
        out.flush();
        return socket;
    }

    private static void sendFrame(Socket socket, byte[] frame) throws IOException {
        var out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Ignore the bytes that the member sends before it closes the connection.
            }
        } catch (java.net.SocketException e) {
            // The member closed the connection without reading all bytes.
        }
        return true;
    }

    /** Returns a serialized {@link Trap} in the message format that a transport without a secret reads. */
    private static byte[] trap() throws Exception {
        byte[] message = written(new ObjectMessage(null, new Trap()));
        var all = new ByteArrayDataOutputStream();
        all.writeShort(Version.version);
        all.writeByte(0);
        all.writeShort(Message.OBJ_MSG);
        all.write(message, 0, message.length);
        return java.util.Arrays.copyOf(all.buffer(), all.position());
    }

    private static byte[] written(Message message) throws Exception {
        var out = new ByteArrayDataOutputStream();
        message.setSrc(org.jgroups.util.UUID.randomUUID());
        message.writeTo(out);
        return java.util.Arrays.copyOf(out.buffer(), out.position());
    }
}
