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
 * <p>One reader class and one writer class handle both formats with Jackson's streams. For any input, the reader
 * returns a message or throws {@link MalformedFrameException}. The reader allocates no memory for a length field that
 * exceeds the input. The reader accepts at most {@value #MAX_DEPTH} nested levels, except in the codec of {@link
 * #ofWritten}.
 *
 * <p>Jackson's msgpack parser alone does not give these guarantees. The parser ignores Jackson's {@code
 * StreamReadConstraints}. It also misreads a map that has nil or a list as a key: it takes the following keys for
 * values. Therefore {@link MsgpackShape} checks a msgpack frame first.
 *
 * <p>Instances are immutable and may be shared.
 */
public final class FrameCodec {

    /** The maximum nesting of lists and objects in a frame. */
    public static final int MAX_DEPTH = 64;

    /** The maximum number of messages, presence messages, params or results in a frame. */
    public static final int MAX_LIST_LENGTH = 1000;

    private static final int MAX_NAME_LENGTH = 1024;
    private static final int MAX_NUMBER_LENGTH = 64;
    private static final int LONGEST_REASON = 200;

    private final int maxFrameBytes;
    private final JsonFactory json;
    private final JsonFactory msgpack;

    /**
     * Creates a codec that reads frames of up to {@code maxFrameBytes}. The length of written frames is not limited.
     */
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
        // Disable the symbol table. Otherwise the field names of one client would fill a table that all clients
        // share.
        this.json = new JsonFactoryBuilder()
                .streamReadConstraints(constraints)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
        // Disable the reuse of buffers, so that no thread retains its last frame.
        this.msgpack =
                new MessagePackFactory().setReuseResourceInGenerator(false).setReuseResourceInParser(false);
    }

    /**
     * Returns a codec that reads all JSON that this class has written.
     *
     * <p>The JSON form of a client's frame can be longer and deeper than the frame itself. It can also contain longer
     * field names, because the codec for clients limits the names in JSON, but not in msgpack. So the returned codec
     * has none of these limits.
     */
    public static FrameCodec ofWritten() {
        return new FrameCodec(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    public byte[] encode(ProtocolMessage message, Format format) {
        return write(format, out -> out.write(message));
    }

    /** Decodes a frame. Throws {@link MalformedFrameException} unless the frame is exactly one protocol message. */
    public ProtocolMessage decode(byte[] frame, Format format) throws MalformedFrameException {
        return read(frame, format, FrameReader::read);
    }

    /** A function that writes one value to a {@link FrameWriter}. */
    interface Writing {
        void to(FrameWriter out) throws IOException;
    }

    byte[] write(Format format, Writing writing) {
        var bytes = new ByteArrayBuilder();
        try (JsonGenerator out = factory(format).createGenerator(bytes)) {
            writing.to(new FrameWriter(out, format));
        } catch (IOException e) {
            throw new UncheckedIOException("a frame could not be encoded as " + format, e);
        }
        return bytes.toByteArray();
    }

    /** A function that reads one value from a {@link FrameReader}. */
    interface Reading<T> {
        T from(FrameReader in) throws IOException, MalformedFrameException;
    }

    <T> T read(byte[] frame, Format format, Reading<T> reading) throws MalformedFrameException {
        if (frame.length > maxFrameBytes) {
            throw new MalformedFrameException(
                    "the frame has " + frame.length + " bytes; at most " + maxFrameBytes + " are allowed");
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
            // The parsers can throw any exception for hostile input. Such an exception must not reach the event
            // loop.
            throw new MalformedFrameException("the frame is not " + format + " that can be read", e);
        }
    }

    private JsonFactory factory(Format format) {
        return format == Format.JSON ? json : msgpack;
    }

    /** Decodes UTF-8 and rejects other encodings. Jackson would also guess UTF-16 and UTF-32. */
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
        // Jackson's message quotes the input, so limit its length. The cut can split a surrogate pair. The method
        // wellFormed replaces the rest of such a pair.
        String bounded = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "..." : text;
        long at = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
        return Utf8.wellFormed(bounded) + (at < 0 ? "" : " (at character " + at + ")");
    }
}
