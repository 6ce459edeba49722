package dev.doyen.membership;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads and validates the big-endian fields of a message.
 *
 * <p>The reader treats every sender as untrusted. A message is malformed if a field is invalid or missing, or if bytes
 * follow the last field. In this case, {@link #read} throws {@link MalformedMessageException}.
 *
 * <p>Threads: one thread at a time.
 */
public final class MessageReader {

    /**
     * The maximum value of a counter in a message, such as a view number. No counter reaches this value in practice.
     */
    public static final long MAX_COUNT = 1L << 62;

    private static final int MAX_PRIORITY = 100;

    private final ByteBuffer in;

    private MessageReader(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    /** Reads the fields that follow the version of a message. */
    @FunctionalInterface
    public interface Fields<T> {

        /**
         * Reads all fields.
         *
         * @throws MalformedMessageException if a field is invalid; the reader converts an
         *     {@link IllegalArgumentException} into this exception
         */
        T read(MessageReader in) throws MalformedMessageException;
    }

    /** Reads a message, which consists of its version and its fields. */
    public static <T> T read(byte[] bytes, int maxBytes, int version, Fields<T> fields)
            throws MalformedMessageException {
        if (bytes.length > maxBytes) {
            throw new MalformedMessageException("it has " + bytes.length + " bytes; at most " + maxBytes);
        }
        var reader = new MessageReader(bytes);
        try {
            int actualVersion = reader.unsigned();
            if (actualVersion != version) {
                throw new MalformedMessageException("it is of version " + actualVersion + "; this program uses "
                        + version + ": run the same version everywhere");
            }
            T message = fields.read(reader);
            if (reader.in.hasRemaining()) {
                throw new MalformedMessageException(reader.in.remaining() + " bytes follow its end");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedMessageException("it ends too early, after " + bytes.length + " bytes");
        } catch (IllegalArgumentException e) {
            // The constructor of the message has rejected a name or a term.
            throw new MalformedMessageException(String.valueOf(e.getMessage()));
        }
    }

    public byte one() {
        return in.get();
    }

    private int unsigned() {
        return in.get() & 0xff;
    }

    public boolean flag() throws MalformedMessageException {
        byte flag = in.get();
        if (flag != 0 && flag != 1) {
            throw new MalformedMessageException("a boolean is " + flag + "; it is 0 or 1");
        }
        return flag == 1;
    }

    /** Reads a number of four bytes, which is 1 or more. */
    public int small(String what) throws MalformedMessageException {
        int value = in.getInt();
        if (value < 1) {
            throw new MalformedMessageException("its " + what + " is " + value + "; it counts from 1");
        }
        return value;
    }

    /** Reads a number of eight bytes within these bounds. */
    public long count(String what, long least, long most) throws MalformedMessageException {
        long value = in.getLong();
        if (value < least || value > most) {
            throw new MalformedMessageException(
                    "its " + what + " is " + value + "; its bounds are " + least + " and " + most);
        }
        return value;
    }

    public int priority(String what) throws MalformedMessageException {
        int priority = unsigned();
        if (priority > MAX_PRIORITY) {
            throw new MalformedMessageException(what + " is " + priority + "; its bounds are 0 and " + MAX_PRIORITY);
        }
        return priority;
    }

    /** Reads a length of two bytes, and then a UTF-8 text of this length. */
    public String text() throws MalformedMessageException {
        int length = in.getShort() & 0xffff;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer utf8 = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(utf8)
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException("a text in it is not UTF-8");
        }
    }

    /** Reads a length of four bytes, and then this number of bytes. */
    public byte[] bytes(String what, int most) throws MalformedMessageException {
        int length = in.getInt();
        if (length < 0 || length > most) {
            throw new MalformedMessageException("its " + what + " has " + Integer.toUnsignedString(length)
                    + " bytes; its bounds are 0 and " + most);
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    public ViewId view() throws MalformedMessageException {
        long number = count("view", 0, MAX_COUNT);
        return new ViewId(number, text());
    }

    public Member member() throws MalformedMessageException {
        String id = text();
        return new Member(id, text());
    }
}
