package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.cluster.FrameCipher.Line;
import dev.doyen.store.support.SharedKey;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the cipher against a process that can read, change and repeat frames, but does not have the secret. */
class FrameCipherTest {

    private static final SharedKey KEY =
            SharedKey.of("a secret of thirty-two characters", FrameCipher.PURPOSE, "orders");
    private static final IpAddress HERE = new IpAddress(InetAddress.getLoopbackAddress(), 7800);
    private static final String WRONG =
            "it was encrypted with another secret, or for another cluster or address, or was changed in transit";
    private static final String AGAIN = "it is a repeated or a very late message";

    private final FrameCipher sender = new FrameCipher(KEY);
    private final FrameCipher receiver = new FrameCipher(KEY);

    @Test
    void an_encrypted_frame_is_decrypted_and_unreadable_in_transit() throws Exception {
        byte[] frame = encrypted("top secret");
        assertThat(new String(frame, StandardCharsets.ISO_8859_1)).doesNotContain("top secret");
        assertThat(frame).hasSize("top secret".length() + FrameCipher.OVERHEAD);
        assertThat(opened(frame)).isEqualTo("top secret");
    }

    @Test
    void parts_of_an_array_and_empty_frames_are_encrypted() throws Exception {
        byte[] plain = "before text after".getBytes(StandardCharsets.UTF_8);
        byte[] frame = sender.encrypt(Line.MESSAGES, HERE, plain, 7, 4);
        byte[] within = new byte[frame.length + 9];
        System.arraycopy(frame, 0, within, 5, frame.length);
        assertThat(receiver.open(Line.MESSAGES, HERE, within, 5, frame.length))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("text");
        assertThat(opened(encrypted(""))).isEmpty();
    }

    @Test
    void a_frame_changed_at_any_byte_is_rejected() throws Exception {
        byte[] frame = encrypted("text");
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> opened(changed)).as("byte " + i).isInstanceOf(RejectedFrameException.class);
        }
        assertThat(opened(frame)).as("the unchanged frame is still accepted").isEqualTo("text");
    }

    @Test
    void a_truncated_or_extended_frame_is_rejected() {
        byte[] frame = encrypted("text");
        for (int length = 0; length < frame.length; length++) {
            byte[] cut = Arrays.copyOf(frame, length);
            assertThatThrownBy(() -> opened(cut)).isInstanceOf(RejectedFrameException.class);
        }
        refused(Arrays.copyOf(frame, frame.length + 1), WRONG);
        refused(new byte[FrameCipher.MAX_FRAME + 1], "it is not encrypted");
        byte[] tooLong = new byte[FrameCipher.MAX_FRAME - FrameCipher.OVERHEAD + 1];
        assertThatThrownBy(() -> sender.encrypt(Line.MESSAGES, HERE, tooLong, 0, tooLong.length))
                .hasMessage("1048536 bytes are too long for a frame; the limit is 1048535");
    }

    @Test
    void frames_of_another_secret_or_cluster_are_rejected() {
        for (SharedKey other : List.of(
                SharedKey.of("another secret of many characters", FrameCipher.PURPOSE, "orders"),
                SharedKey.of("a secret of thirty-two characters", FrameCipher.PURPOSE, "bills"))) {
            assertThatThrownBy(() -> open(new FrameCipher(other), HERE, Line.MESSAGES, encrypted("text")))
                    .hasMessage(WRONG);
        }
    }

    @Test
    void a_frame_is_accepted_only_by_its_receiver() throws Exception {
        var otherPort = new IpAddress(HERE.getIpAddress(), 7801);
        var otherHost = new IpAddress(InetAddress.getByName("127.0.0.2"), 7800);
        byte[] frame = encrypted("text");
        for (IpAddress elsewhere : List.of(otherPort, otherHost)) {
            assertThatThrownBy(() -> open(receiver, elsewhere, Line.MESSAGES, frame))
                    .hasMessage(WRONG);
            assertThatThrownBy(() -> open(sender, elsewhere, Line.MESSAGES, frame))
                    .hasMessage(WRONG);
        }
    }

    @ParameterizedTest
    @EnumSource(Line.class)
    void a_frame_is_accepted_only_on_its_port(Line line) throws Exception {
        byte[] frame = sender.encrypt(line, HERE, new byte[] {1}, 0, 1);
        for (Line other : Line.values()) {
            if (other != line) {
                assertThatThrownBy(() -> open(receiver, HERE, other, frame)).hasMessage(WRONG);
            }
        }
        assertThat(open(receiver, HERE, line, frame)).hasSize(1);
    }

    @Test
    void a_repeated_frame_is_rejected() throws Exception {
        byte[] first = encrypted("first");
        byte[] second = encrypted("second");
        assertThat(opened(second)).isEqualTo("second");
        assertThat(opened(first))
                .as("a frame that arrives late is accepted once")
                .isEqualTo("first");
        refused(first, AGAIN);
        refused(second, AGAIN);
    }

    @Test
    void a_late_frame_is_rejected() throws Exception {
        byte[] never = encrypted("never opened");
        byte[] once = encrypted("opened once");
        assertThat(opened(once)).isNotEmpty();
        for (int i = 0; i < FrameCipher.WINDOW; i++) {
            opened(encrypted("newer"));
        }
        refused(never, AGAIN);
        refused(once, AGAIN);
    }

    @Test
    void a_session_that_was_removed_for_others_is_accepted_again() throws Exception {
        byte[] frame = encrypted("text");
        opened(frame);
        for (int i = 0; i < FrameCipher.MAX_SESSIONS; i++) {
            open(receiver, HERE, Line.MESSAGES, new FrameCipher(KEY).encrypt(Line.MESSAGES, HERE, new byte[1], 0, 1));
        }
        assertThat(opened(frame))
                .as("a frame of a removed session is accepted again; see docs/decisions/0023")
                .isEqualTo("text");
    }

    @Test
    void a_process_without_the_secret_removes_no_session() throws Exception {
        byte[] frame = encrypted("text");
        opened(frame);
        var stranger = SharedKey.of("another secret of the same length", FrameCipher.PURPOSE, "orders");
        for (int i = 0; i < FrameCipher.MAX_SESSIONS; i++) {
            byte[] strange = new FrameCipher(stranger).encrypt(Line.MESSAGES, HERE, new byte[1], 0, 1);
            assertThatThrownBy(() -> opened(strange)).hasMessage(WRONG);
        }
        refused(frame, AGAIN);
    }

    @Test
    void equal_texts_have_different_ciphertexts() {
        Set<ByteBuffer> beginnings = new HashSet<>();
        Set<ByteBuffer> bodies = new HashSet<>();
        for (int process = 0; process < 50; process++) {
            var cipher = new FrameCipher(KEY);
            for (int i = 0; i < 50; i++) {
                byte[] frame = cipher.encrypt(Line.MESSAGES, HERE, "text".getBytes(StandardCharsets.UTF_8), 0, 4);
                beginnings.add(ByteBuffer.wrap(Arrays.copyOf(frame, 25)));
                bodies.add(ByteBuffer.wrap(Arrays.copyOfRange(frame, 25, frame.length)));
            }
        }
        assertThat(beginnings).hasSize(2_500);
        assertThat(bodies).hasSize(2_500);
    }

    private byte[] encrypted(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        return sender.encrypt(Line.MESSAGES, HERE, plain, 0, plain.length);
    }

    private String opened(byte[] frame) throws RejectedFrameException {
        return new String(open(receiver, HERE, Line.MESSAGES, frame), StandardCharsets.UTF_8);
    }

    private void refused(byte[] frame, String reason) {
        assertThatThrownBy(() -> opened(frame))
                .isInstanceOf(RejectedFrameException.class)
                .hasMessage(reason);
    }

    private static byte[] open(FrameCipher cipher, IpAddress to, Line line, byte[] frame)
            throws RejectedFrameException {
        return cipher.open(line, to, frame, 0, frame.length);
    }
}
