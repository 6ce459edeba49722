package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Reads and writes the bodies of HTTP requests: the same messages as in frames, without a frame around them, under the
 * same bounds as {@link FrameCodec}'s.
 *
 * <p>Threads: immutable, may be shared.
 */
public final class BodyCodec {

    private final FrameCodec codec;

    /** A codec that reads bodies up to {@code maxBytes}; what is written is not bounded by it. */
    public BodyCodec(int maxBytes) {
        this.codec = new FrameCodec(maxBytes);
    }

    /** One message, or a list of them. Errors: {@link MalformedFrameException} for anything else. */
    public List<PostedMessage> readMessages(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPosted);
    }

    /** Messages to many channels. Errors: as {@link #readMessages}. */
    public PostedBatch readBatch(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readBatch);
    }

    /** A list of what is said of members. Errors: as {@link #readMessages}. */
    public List<PresenceMessage> readPresence(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPresence);
    }

    /** Any JSON value, or the same in msgpack; bytes are none. Errors: {@link MalformedFrameException}. */
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
