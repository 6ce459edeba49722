package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.support.SharedKey;
import dev.doyen.stores.quorum.FrameCipher.Side;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the frames against an attacker without the secret. The attacker can read and change all bytes. */
class FrameCipherTest {

    private static final String CHANGED =
            "a frame cannot be decrypted; it was changed, repeated or reordered in transit";
    private static final String NOT_PROVED =
            "it did not prove that it has the secret; if it is a member, give it the same secret";

    private final byte[] connectingHello = FrameCipher.hello(WireKeys.KEY);
    private final byte[] acceptingHello = FrameCipher.hello(WireKeys.KEY);
    private final FrameCipher connecting = seal(WireKeys.KEY, Side.CONNECTING, connectingHello, acceptingHello);
    private final FrameCipher accepting = seal(WireKeys.KEY, Side.ACCEPTING, acceptingHello, connectingHello);

    @Test
    void frames_are_decrypted_in_order_in_both_directions() throws Exception {
        for (String text : new String[] {"", "first", "second", "x".repeat(100_000)}) {
            byte[] there = connecting.seal(bytes(text));
            byte[] back = accepting.seal(bytes(text));

            assertThat(there).hasSize(text.length() + connecting.overhead()).isNotEqualTo(back);
            assertThat(new String(there, StandardCharsets.ISO_8859_1)).doesNotContain("first", "second", "xxxxxxxx");
            assertThat(text(accepting.open(there))).isEqualTo(text);
            assertThat(text(connecting.open(back))).isEqualTo(text);
        }
    }

    @Test
    void equal_frames_are_encrypted_to_different_bytes() {
        assertThat(connecting.seal(bytes("text"))).isNotEqualTo(connecting.seal(bytes("text")));
    }

    @Test
    void a_frame_changed_at_any_byte_is_rejected() throws Exception {
        byte[] frame = afterProof("text");
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 1;
            refused(changed, CHANGED);
        }
        assertThat(text(accepting.open(frame))).isEqualTo("text");
    }

    @Test
    void a_truncated_or_extended_frame_is_rejected() throws Exception {
        byte[] frame = afterProof("text");
        for (int length = 0; length < frame.length; length++) {
            refused(Arrays.copyOf(frame, length), CHANGED);
        }
        refused(Arrays.copyOf(frame, frame.length + 1), CHANGED);
    }

    @Test
    void a_repeated_frame_is_rejected() throws Exception {
        byte[] frame = afterProof("text");
        accepting.open(frame);
        refused(frame, CHANGED);
    }

    @Test
    void a_reordered_frame_is_rejected() throws Exception {
        byte[] first = afterProof("first");
        byte[] second = connecting.seal(bytes("second"));
        refused(second, CHANGED);
        assertThat(text(accepting.open(first))).isEqualTo("first");
        assertThat(text(accepting.open(second))).isEqualTo("second");
    }

    @Test
    void a_reflected_frame_is_rejected() throws Exception {
        byte[] proof = connecting.seal(bytes(""));
        assertThatThrownBy(() -> connecting.open(proof)).hasMessage(NOT_PROVED);

        // Here the attacker has also reflected the hello, so both directions have the same key.
        FrameCipher mirrored = seal(WireKeys.KEY, Side.CONNECTING, connectingHello, connectingHello);
        byte[] sent = mirrored.seal(bytes(""));
        assertThatThrownBy(() -> mirrored.open(sent)).hasMessage(NOT_PROVED);
    }

    @Test
    void a_recorded_connection_cannot_be_replayed() {
        byte[] recorded = connecting.seal(bytes(""));
        byte[] nextHello = FrameCipher.hello(WireKeys.KEY);
        FrameCipher next = seal(WireKeys.KEY, Side.ACCEPTING, nextHello, connectingHello);
        assertThatThrownBy(() -> next.open(recorded)).hasMessage(NOT_PROVED);

        byte[] answer = accepting.seal(bytes(""));
        FrameCipher nextConnecting = seal(WireKeys.KEY, Side.CONNECTING, nextHello, acceptingHello);
        assertThatThrownBy(() -> nextConnecting.open(answer)).hasMessage(NOT_PROVED);
    }

    @Test
    void another_secret_decrypts_no_frame() {
        FrameCipher stranger = seal(WireKeys.OTHER, Side.ACCEPTING, acceptingHello, connectingHello);
        byte[] proof = connecting.seal(bytes(""));
        assertThatThrownBy(() -> stranger.open(proof))
                .isInstanceOf(RefusedPeerException.class)
                .hasMessage(NOT_PROVED);
        byte[] forged = stranger.seal(bytes(""));
        assertThatThrownBy(() -> connecting.open(forged)).hasMessage(NOT_PROVED);
    }

    @Test
    void a_hello_changed_at_any_byte_ends_the_connection() throws Exception {
        for (int i = 0; i < FrameCipher.HELLO_BYTES; i++) {
            byte[] changed = connectingHello.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> FrameCipher.of(WireKeys.KEY, Side.ACCEPTING, acceptingHello, changed)
                            .open(connecting.seal(bytes(""))))
                    .as("byte " + i)
                    .isInstanceOf(RefusedPeerException.class);
        }
    }

    @Test
    void an_incompatible_hello_is_rejected_with_a_reason() {
        notFitting(
                WireKeys.KEY,
                bytes("GET / HTTP/1.1\r\nHost"),
                "it does not use the protocol of the quorum store; if it is a member, check its address and port");
        byte[] newer = FrameCipher.hello(WireKeys.KEY);
        newer[2]++;
        notFitting(
                WireKeys.KEY,
                newer,
                "it uses another version of the protocol; run the same version of Doyen on all members");
        notFitting(
                WireKeys.KEY,
                FrameCipher.hello(null),
                "it has no secret and this process has one; give all members the same secret");
        notFitting(
                null,
                FrameCipher.hello(WireKeys.KEY),
                "it has a secret and this process has none; give all members the same secret");
    }

    @Test
    void without_a_secret_frames_are_plain() throws Exception {
        byte[] hello = FrameCipher.hello(null);
        FrameCipher plain = seal(null, Side.CONNECTING, hello, hello);
        assertThat(plain.overhead()).isZero();
        assertThat(text(plain.seal(bytes("text")))).isEqualTo("text");
        assertThat(text(plain.open(bytes("text")))).isEqualTo("text");
    }

    private byte[] afterProof(String text) throws RefusedPeerException {
        accepting.open(connecting.seal(bytes("")));
        return connecting.seal(bytes(text));
    }

    private void refused(byte[] frame, String reason) {
        assertThatThrownBy(() -> accepting.open(frame))
                .isInstanceOf(RefusedPeerException.class)
                .hasMessage(reason);
    }

    private void notFitting(@Nullable SharedKey key, byte[] hello, String reason) {
        assertThatThrownBy(() -> FrameCipher.of(key, Side.ACCEPTING, acceptingHello, hello))
                .isInstanceOf(RefusedPeerException.class)
                .hasMessage(reason);
    }

    private static FrameCipher seal(@Nullable SharedKey key, Side side, byte[] own, byte[] other) {
        try {
            return FrameCipher.of(key, side, own, other);
        } catch (RefusedPeerException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
