package dev.doyen.hub.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/**
 * Writes protocol messages as bytes and reads them back, as JSON or as msgpack.
 *
 * <p>One reader and one writer serve both formats, over Jackson's streams. Whatever the bytes, reading ends in a message
 * or in a {@link MalformedFrameException}; it neither allocates what a length field merely promises nor recurses deeper
 * than {@value #MAX_DEPTH} levels. Jackson's msgpack parser gives none of these promises (it ignores the read
 * constraints, and a key that is nil or a list shifts everything after it), so {@link MsgpackShape} walks a msgpack
 * frame first.
 *
 * <p>Threads: immutable, may be shared.
 */
public final class FrameCodec {

    /** How deep lists and objects may nest in one frame. */
    public static final int MAX_DEPTH = 64;

    /** How many messages, presence messages, params or results one frame may list. */
    public static final int MAX_LIST_LENGTH = 1000;

    private static final int MAX_NAME_LENGTH = 1024;
    private static final int MAX_NUMBER_LENGTH = 64;
    private static final int LONGEST_REASON = 200;

    private final int maxFrameBytes;
    private final JsonFactory json;
    private final JsonFactory msgpack;

    /** A codec that reads frames up to {@code maxFrameBytes}; what is written is not bounded by it. */
    public FrameCodec(int maxFrameBytes) {
        this(maxFrameBytes, MAX_DEPTH, MAX_NAME_LENGTH);
    }

    private FrameCodec(int maxFrameBytes, int maxDepth, int maxNameLength) {
        if (maxFrameBytes < 1) {
            throw new IllegalArgumentException(
                    "maxFrameBytes (" + maxFrameBytes + ") must be positive; the protocol's usual value is 524288");
        }
        this.maxFrameBytes = maxFrameBytes;
        var constraints = StreamReadConstraints.builder()
                .maxNestingDepth(maxDepth)
                .maxStringLength(maxFrameBytes)
                .maxNameLength(maxNameLength)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .maxDocumentLength(maxFrameBytes)
                .build();
        // Otherwise the names in one client's frames would fill a table that all share.
        this.json = new JsonFactoryBuilder()
                .streamReadConstraints(constraints)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
        // Without reuse no thread keeps the last frame it saw.
        this.msgpack =
                new MessagePackFactory().setReuseResourceInGenerator(false).setReuseResourceInParser(false);
    }

    /**
     * A codec that reads as JSON whatever a codec has written. A client's frame may become longer and deeper there, and
     * msgpack does not bound its names.
     */
    public static FrameCodec ofWritten() {
        return new FrameCodec(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    public byte[] encode(ProtocolMessage message, Format format) {
        return write(format, out -> out.write(message));
    }

    /** Errors: {@link MalformedFrameException} for anything that is not exactly one protocol message. */
    public ProtocolMessage decode(byte[] frame, Format format) throws MalformedFrameException {
        return read(frame, format, FrameReader::read);
    }

    /** Something that one writer writes. */
    interface Writing {
        void to(FrameWriter out) throws IOException;
    }

    byte[] write(Format format, Writing writing) {
        var bytes = new ByteArrayBuilder();
        try (JsonGenerator out = factory(format).createGenerator(bytes)) {
            writing.to(new FrameWriter(out, format));
        } catch (IOException e) {
            throw new UncheckedIOException("what was to be sent could not be written as " + format, e);
        }
        return bytes.toByteArray();
    }

    /** Something that one reader reads. */
    interface Reading<T> {
        T from(FrameReader in) throws IOException, MalformedFrameException;
    }

    <T> T read(byte[] frame, Format format, Reading<T> reading) throws MalformedFrameException {
        if (frame.length > maxFrameBytes) {
            throw new MalformedFrameException(
                    "the frame has " + frame.length + " bytes; at most " + maxFrameBytes + " are read");
        }
        if (frame.length == 0) {
            throw new MalformedFrameException("the frame is empty");
        }
        if (format == Format.MSGPACK) {
            MsgpackShape.check(frame, MAX_DEPTH);
        }
        try (JsonParser in = format == Format.JSON ? json.createParser(text(frame)) : msgpack.createParser(frame)) {
            return reading.from(new FrameReader(in, format));
        } catch (JsonProcessingException e) {
            throw new MalformedFrameException("the frame is not " + format + ": " + reason(e), e);
        } catch (IOException | RuntimeException e) {
            // The parsers promise nothing about what they throw at hostile input, and it must not reach the event loop.
            throw new MalformedFrameException("the frame is not " + format + " that can be read", e);
        }
    }

    private JsonFactory factory(Format format) {
        return format == Format.JSON ? json : msgpack;
    }

    /** JSON is UTF-8 and nothing else; Jackson would guess at UTF-16 and UTF-32. */
    private static String text(byte[] frame) throws MalformedFrameException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(frame))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFrameException("the JSON frame is not UTF-8", e);
        }
    }

    private static String reason(JsonProcessingException e) {
        String text = e.getOriginalMessage();
        if (text == null) {
            return "it cannot be read";
        }
        // Jackson quotes the input; a cut must not split a surrogate pair.
        String bounded = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "..." : text;
        long at = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
        return Utf8.wellFormed(bounded) + (at < 0 ? "" : " (at character " + at + ")");
    }
}
