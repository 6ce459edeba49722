package dev.doyen.cluster;

import dev.doyen.membership.Membership;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A topic and a message, in the form that members send to each other.
 *
 * <p>An envelope consists of the version, the length of the topic's UTF-8 in two bytes, the topic, and the message.
 */
final class Envelope {

    private static final byte VERSION = 1;

    /** The maximum length of a topic: 255 characters of at most three bytes each. */
    private static final int MAX_TOPIC_BYTES = 765;

    private final String topic;
    private final byte[] message;

    Envelope(String topic, byte[] message) {
        this.topic = topic;
        this.message = message;
    }

    String topic() {
        return topic;
    }

    byte[] message() {
        return message;
    }

    byte[] bytes() {
        byte[] utf8 = topic.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Short.BYTES + utf8.length + message.length)
                .put(VERSION)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(message)
                .array();
    }

    /** Parses an envelope. The result is empty if the envelope is malformed or too long. */
    static Optional<Envelope> read(byte[] bytes, int offset, int length) {
        try {
            var in = ByteBuffer.wrap(bytes, offset, length);
            byte version = in.get();
            int topicBytes = in.getShort() & 0xffff;
            if (version != VERSION
                    || topicBytes > MAX_TOPIC_BYTES
                    || topicBytes > in.remaining()
                    || in.remaining() - topicBytes > Membership.MAX_MESSAGE_BYTES) {
                return Optional.empty();
            }
            int begin = in.position();
            var topic = new String(bytes, begin, topicBytes, StandardCharsets.UTF_8);
            return Optional.of(new Envelope(topic, Arrays.copyOfRange(bytes, begin + topicBytes, offset + length)));
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }
}
