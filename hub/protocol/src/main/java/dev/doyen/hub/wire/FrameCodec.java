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
 * Encodes and decodes protocol messages as JSON or msgpack.
 *
 * <p>One reader and one writer serve both formats, with Jackson's streams. For any input, reading returns a message or
 * throws {@link MalformedFrameException}. It does not allocate memory for a length field that exceeds the input, and
 * does not nest deeper than {@value #MAX_DEPTH} levels.
 *
 * <p>Jackson's msgpack parser gives no such guarantee. It ignores the read constraints, and a key that is nil or a list
 * shifts all following fields. So {@link MsgpackShape} checks a msgpack frame first.
 *
 * <p>Threads: immutable, may be shared.
 */
public final class FrameCodec {

    /** Maximum nesting of lists and objects in a frame. */
    public static final int MAX_DEPTH = 64;

    /** Maximum number of messages, presence messages, params or results in a frame. */
    public static final int MAX_LIST_LENGTH = 1000;

    private static final int MAX_NAME_LENGTH = 1024;
    private static final int MAX_NUMBER_LENGTH = 64;
    private static final int LONGEST_REASON = 200;

    private final int maxFrameBytes;
    private final JsonFactory json;
    private final JsonFactory msgpack;

    /** Creates a codec that reads frames of up to {@code maxFrameBytes}. Written frames have no limit. */
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
        // Otherwise the field names of one client would fill a table that all clients share.
        this.json = new JsonFactoryBuilder()
                .streamReadConstraints(constraints)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
        // Without reuse no thread retains its last frame.
        this.msgpack =
                new MessagePackFactory().setReuseResourceInGenerator(false).setReuseResourceInParser(false);
    }

    /**
     * Returns a codec that reads all JSON that a codec has written.
     *
     * <p>A client's frame may be longer and deeper when it is written as JSON, and msgpack does not limit names.
     */
    public static FrameCodec ofWritten() {
        return new FrameCodec(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    public byte[] encode(ProtocolMessage message, Format format) {
        return write(format, out -> out.write(message));
    }

    /** Decodes a frame. Errors: {@link MalformedFrameException} unless it is exactly one protocol message. */
    public ProtocolMessage decode(byte[] frame, Format format) throws MalformedFrameException {
        return read(frame, format, FrameReader::read);
    }

    /** A function that writes with one writer. */
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

    /** A function that reads with one reader. */
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
            // The parsers may throw anything for hostile input. It must not reach the event loop.
            throw new MalformedFrameException("the frame is not " + format + " that can be read", e);
        }
    }

    private JsonFactory factory(Format format) {
        return format == Format.JSON ? json : msgpack;
    }

    /** Accepts UTF-8 only. Jackson would also guess UTF-16 and UTF-32. */
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
        // Jackson quotes the input, and the cut may split a surrogate pair.
        String bounded = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "..." : text;
        long at = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
        return Utf8.wellFormed(bounded) + (at < 0 ? "" : " (at character " + at + ")");
    }
}
