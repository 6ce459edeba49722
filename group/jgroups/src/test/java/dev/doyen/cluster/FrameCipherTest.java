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

/** Attacks by somebody who can read, change and repeat frames, but does not know the secret. */
class FrameCipherTest {

    private static final SharedKey KEY =
            SharedKey.of("a secret of thirty-two characters", FrameCipher.PURPOSE, "orders");
    private static final IpAddress HERE = new IpAddress(InetAddress.getLoopbackAddress(), 7800);
    private static final String WRONG =
            "it was encrypted with another secret or for another cluster or address, or was changed on the way";
    private static final String AGAIN = "it was received before, or is far too late";

    private final FrameCipher sender = new FrameCipher(KEY);
    private final FrameCipher receiver = new FrameCipher(KEY);

    @Test
    void what_is_sealed_is_opened_and_cannot_be_read_on_the_way() throws Exception {
        byte[] frame = encrypted("top secret");
        assertThat(new String(frame, StandardCharsets.ISO_8859_1)).doesNotContain("top secret");
        assertThat(frame).hasSize("top secret".length() + FrameCipher.OVERHEAD);
        assertThat(opened(frame)).isEqualTo("top secret");
    }

    @Test
    void a_part_of_an_array_is_sealed_and_opened_as_well_as_nothing() throws Exception {
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
    void what_was_changed_on_the_way_does_not_open_whatever_byte_it_is() throws Exception {
        byte[] frame = encrypted("text");
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> opened(changed)).as("byte " + i).isInstanceOf(RejectedFrameException.class);
        }
        assertThat(opened(frame))
                .as("what was tried does not harm the true one")
                .isEqualTo("text");
    }

    @Test
    void what_was_cut_or_made_longer_does_not_open() {
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
    void another_secret_and_the_same_one_of_another_cluster_open_nothing() {
        for (SharedKey other : List.of(
                SharedKey.of("another secret of many characters", FrameCipher.PURPOSE, "orders"),
                SharedKey.of("a secret of thirty-two characters", FrameCipher.PURPOSE, "bills"))) {
            assertThatThrownBy(() -> open(new FrameCipher(other), HERE, Line.MESSAGES, encrypted("text")))
                    .hasMessage(WRONG);
        }
    }

    @Test
    void what_was_sealed_for_one_member_does_not_open_at_another_nor_at_its_sender() throws Exception {
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
    void what_was_sealed_for_one_line_does_not_open_on_another(Line line) throws Exception {
        byte[] frame = sender.encrypt(line, HERE, new byte[] {1}, 0, 1);
        for (Line other : Line.values()) {
            if (other != line) {
                assertThatThrownBy(() -> open(receiver, HERE, other, frame)).hasMessage(WRONG);
            }
        }
        assertThat(open(receiver, HERE, line, frame)).hasSize(1);
    }

    @Test
    void what_was_opened_is_not_opened_again() throws Exception {
        byte[] first = encrypted("first");
        byte[] second = encrypted("second");
        assertThat(opened(second)).isEqualTo("second");
        assertThat(opened(first)).as("later than the second, but new").isEqualTo("first");
        refused(first, AGAIN);
        refused(second, AGAIN);
    }

    @Test
    void what_is_too_late_is_not_opened_whether_it_was_before_or_not() throws Exception {
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
    void a_session_that_many_others_pushed_out_is_heard_anew() throws Exception {
        byte[] frame = encrypted("text");
        opened(frame);
        for (int i = 0; i < FrameCipher.MAX_SESSIONS; i++) {
            open(receiver, HERE, Line.MESSAGES, new FrameCipher(KEY).encrypt(Line.MESSAGES, HERE, new byte[1], 0, 1));
        }
        assertThat(opened(frame))
                .as("the price of a bounded memory; docs/decisions/0023 says so")
                .isEqualTo("text");
    }

    @Test
    void who_does_not_know_the_secret_pushes_nobody_out() throws Exception {
        byte[] frame = encrypted("text");
        opened(frame);
        var stranger = SharedKey.of("a stranger's secret, just as long", FrameCipher.PURPOSE, "orders");
        for (int i = 0; i < FrameCipher.MAX_SESSIONS; i++) {
            byte[] strange = new FrameCipher(stranger).encrypt(Line.MESSAGES, HERE, new byte[1], 0, 1);
            assertThatThrownBy(() -> opened(strange)).hasMessage(WRONG);
        }
        refused(frame, AGAIN);
    }

    @Test
    void no_session_and_number_is_used_twice_so_the_same_text_never_looks_the_same() {
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
