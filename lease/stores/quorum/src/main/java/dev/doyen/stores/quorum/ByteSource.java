package dev.doyen.stores.quorum;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the fields that {@link ByteSink} wrote, in the same sequence. Each method that reads a field throws
 * {@link MalformedBytesException} if the bytes end too early or contain an impossible value. Threads: one.
 */
final class ByteSource {

    private final ByteBuffer bytes;

    ByteSource(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    int one() {
        return need(1).get() & 0xff;
    }

    boolean flag() {
        int value = one();
        if (value > 1) {
            throw new MalformedBytesException("a flag is " + value + "; it can be 0 or 1");
        }
        return value == 1;
    }

    int number() {
        return need(Integer.BYTES).getInt();
    }

    long longNumber() {
        return need(Long.BYTES).getLong();
    }

    byte[] block() {
        var value = new byte[length()];
        bytes.get(value);
        return value;
    }

    String text() {
        return new String(block(), StandardCharsets.UTF_8);
    }

    <T> List<T> all(Function<ByteSource, T> read) {
        int count = length();
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(read.apply(this));
        }
        return elements;
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    /** Throws {@link MalformedBytesException} if unread bytes remain. */
    void end() {
        if (bytes.hasRemaining()) {
            throw new MalformedBytesException(bytes.remaining() + " bytes follow the last field");
        }
    }

    /**
     * Reads the number of the bytes or elements that follow. The number cannot exceed the number of remaining bytes,
     * because each element has at least one byte.
     */
    private int length() {
        int length = number();
        if (length < 0 || length > bytes.remaining()) {
            throw new MalformedBytesException(
                    "a length is " + length + "; only " + bytes.remaining() + " bytes are left");
        }
        return length;
    }

    private ByteBuffer need(int count) {
        if (bytes.remaining() < count) {
            throw new MalformedBytesException(
                    "a field needs " + count + " bytes; only " + bytes.remaining() + " are left");
        }
        return bytes;
    }
}
