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
 * <p>An envelope consists of the version and the {@linkplain EscapedBytes escaped} content. The content consists of the
 * length of the topic's UTF-8 in two bytes, the topic, and the message. Because of the escapes, the receiver's {@link
 * SerializedObjectFilter} accepts every message, even if the message contains a serialized object.
 */
final class Envelope {

    private static final byte VERSION = 2;

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
        byte[] content = ByteBuffer.allocate(Short.BYTES + utf8.length + message.length)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(message)
                .array();
        byte[] escaped = EscapedBytes.escape(content);
        return ByteBuffer.allocate(1 + escaped.length).put(VERSION).put(escaped).array();
    }

    /** Parses an envelope. The result is empty if the envelope is malformed or too long. */
    static Optional<Envelope> read(byte[] bytes, int offset, int length) {
        if (length < 1 || bytes[offset] != VERSION) {
            return Optional.empty();
        }
        return EscapedBytes.unescape(bytes, offset + 1, length - 1).flatMap(Envelope::ofContent);
    }

    private static Optional<Envelope> ofContent(byte[] content) {
        try {
            var in = ByteBuffer.wrap(content);
            int topicBytes = in.getShort() & 0xffff;
            if (topicBytes > MAX_TOPIC_BYTES
                    || topicBytes > in.remaining()
                    || in.remaining() - topicBytes > Membership.MAX_MESSAGE_BYTES) {
                return Optional.empty();
            }
            int begin = in.position();
            var topic = new String(content, begin, topicBytes, StandardCharsets.UTF_8);
            return Optional.of(new Envelope(topic, Arrays.copyOfRange(content, begin + topicBytes, content.length)));
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }
}
