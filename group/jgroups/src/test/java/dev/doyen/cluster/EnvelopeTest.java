package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class EnvelopeTest {

    private static final byte[] PARTS = {(byte) 0xac, (byte) 0xed, 0, 1, 5};

    @Test
    void no_envelope_contains_the_first_bytes_of_a_serialized_object_and_each_can_be_read() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            var message = new byte[random.nextInt(12)];
            for (int at = 0; at < message.length; at++) {
                message[at] = PARTS[random.nextInt(PARTS.length)];
            }
            // The last byte of the topic is AC.
            byte[] bytes = new Envelope("price in €", message).bytes();
            assertThat(SerializedObjectFilter.isIn(bytes)).isFalse();
            Envelope read = Envelope.read(bytes, 0, bytes.length).orElseThrow();
            assertThat(read.topic()).isEqualTo("price in €");
            assertThat(read.message()).isEqualTo(message);
        }
    }

    @Test
    void malformed_envelopes_are_dropped() {
        byte[] bytes = new Envelope("t", new byte[] {(byte) 0xac, (byte) 0xed, 5}).bytes();
        assertThat(Envelope.read(bytes, 0, 0)).isEmpty();
        assertThat(Envelope.read(bytes, 0, 2)).as("a length of one byte").isEmpty();
        assertThat(Envelope.read(bytes, 0, bytes.length - 2))
                .as("no byte after AC ED")
                .isEmpty();
        bytes[bytes.length - 2] = 0;
        assertThat(Envelope.read(bytes, 0, bytes.length))
                .as("another byte after AC ED")
                .isEmpty();
        bytes[0] = 1;
        assertThat(Envelope.read(bytes, 0, bytes.length)).as("another version").isEmpty();
    }
}
