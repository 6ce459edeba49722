package dev.doyen.membership;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of a message, big-endian, and checks them as if a stranger had sent it. Each method takes the next field,
 * and refuses one that cannot be with a sentence.
 *
 * <p>Threads: one at a time.
 */
public final class MessageReader {

    /** Numbers above this are refused: nothing that counts honestly gets there. */
    public static final long MAX_COUNT = 1L << 62;

    private static final int MAX_PRIORITY = 100;

    private final ByteBuffer in;

    private MessageReader(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    /** What follows a message's version. */
    @FunctionalInterface
    public interface Fields<T> {

        /** Takes all that is left. {@link IllegalArgumentException} is as good as {@link MalformedMessageException}. */
        T read(MessageReader in) throws MalformedMessageException;
    }

    /** Reads a message that begins with its version and has nothing after its fields. */
    public static <T> T read(byte[] bytes, int maxBytes, int version, Fields<T> fields)
            throws MalformedMessageException {
        if (bytes.length > maxBytes) {
            throw new MalformedMessageException("it has " + bytes.length + " bytes; at most " + maxBytes);
        }
        var reader = new MessageReader(bytes);
        try {
            int said = reader.unsigned();
            if (said != version) {
                throw new MalformedMessageException("it is of version " + said + "; this program speaks " + version
                        + ": run the same version everywhere");
            }
            T message = fields.read(reader);
            if (reader.in.hasRemaining()) {
                throw new MalformedMessageException(reader.in.remaining() + " bytes follow its end");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedMessageException("it ends too early, after " + bytes.length + " bytes");
        } catch (IllegalArgumentException e) {
            // A name or a term that cannot be.
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
            throw new MalformedMessageException("a yes or no is " + flag + "; it is 0 or 1");
        }
        return flag == 1;
    }

    /** A number in four bytes that is counted from 1. */
    public int small(String what) throws MalformedMessageException {
        int value = in.getInt();
        if (value < 1) {
            throw new MalformedMessageException("its " + what + " is " + value + "; it is counted from 1");
        }
        return value;
    }

    /** A number in eight bytes. */
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

    /** Its length in two bytes, and its UTF-8. */
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

    /** Their number in four bytes, and the bytes. */
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
