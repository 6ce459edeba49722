package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Reads and writes the bodies of HTTP requests and answers.
 *
 * <p>They contain the same messages as frames, without the frame. The limits of {@link FrameCodec} apply. Threads:
 * immutable, may be shared.
 */
public final class BodyCodec {

    private final FrameCodec codec;

    /** Creates a codec that reads bodies of up to {@code maxBytes}. Written bodies have no limit. */
    public BodyCodec(int maxBytes) {
        this.codec = new FrameCodec(maxBytes);
    }

    /** Reads one message or a list of them. Errors: {@link MalformedFrameException} for anything else. */
    public List<PostedMessage> readMessages(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPosted);
    }

    /** Reads messages for several channels. Errors: as {@link #readMessages}. */
    public PostedBatch readBatch(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readBatch);
    }

    /** Reads a list of presence messages. Errors: as {@link #readMessages}. */
    public List<PresenceMessage> readPresence(byte[] body, Format format) throws MalformedFrameException {
        return codec.read(body, format, FrameReader::readPresence);
    }

    /** Reads any JSON value, or its equivalent in msgpack. Errors: {@link MalformedFrameException}, also for bytes. */
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
