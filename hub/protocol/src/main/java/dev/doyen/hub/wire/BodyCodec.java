package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Reads and writes the bodies of HTTP requests and answers.
 *
 * <p>A body contains the same messages as a frame, without the other fields of the frame. The limits of {@link
 * FrameCodec} apply. Instances are immutable and may be shared.
 */
public final class BodyCodec {

    private final FrameCodec codec;

    /** Creates a codec that reads bodies of up to {@code maxBytes}. The length of written bodies is not limited. */
    public BodyCodec(int maxBytes) {
        this.codec = new FrameCodec(maxBytes);
    }

    /**
     * Reads one message or a list of messages. Throws {@link MalformedFrameException} if the body contains anything
     * else.
     */
    public List<PostedMessage> readMessages(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPosted);
    }

    /** Reads messages for several channels. Throws the same errors as {@link #readMessages}. */
    public PostedBatch readBatch(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readBatch);
    }

    /** Reads a list of presence messages. Throws the same errors as {@link #readMessages}. */
    public List<PresenceMessage> readPresence(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPresence);
    }

    /**
     * Reads any JSON value, or its equivalent in msgpack. Throws {@link MalformedFrameException} if the value is
     * invalid or contains bytes.
     */
    public JsonNode readTree(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readTree);
    }

    public byte[] messages(List<Message> messages, Format format) {
        return codec.write(format, out -> out.writeMessages(messages));
    }

    public byte[] presence(List<PresenceMessage> presence, Format format) {
        return codec.write(format, out -> out.writePresence(presence));
    }

    public byte[] tree(JsonNode tree, Format format) {
        return codec.write(format, out -> out.writeTree(tree));
    }
}
