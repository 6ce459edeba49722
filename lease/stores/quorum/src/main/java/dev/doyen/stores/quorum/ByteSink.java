package dev.doyen.stores.quorum;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.BiConsumer;

/** Writes the fields of a message in sequence, big-endian. {@link ByteSource} reads them. Threads: one. */
final class ByteSink {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

    ByteSink one(int value) {
        bytes.write(value);
        return this;
    }

    ByteSink flag(boolean value) {
        return one(value ? 1 : 0);
    }

    ByteSink number(int value) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            one(value >>> shift);
        }
        return this;
    }

    ByteSink longNumber(long value) {
        return number((int) (value >>> Integer.SIZE)).number((int) value);
    }

    /** Writes the length and then the bytes. */
    ByteSink block(byte[] value) {
        number(value.length);
        bytes.write(value, 0, value.length);
        return this;
    }

    ByteSink text(String value) {
        return block(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the number of elements and then each element with {@code write}. */
    <T> ByteSink all(Collection<T> elements, BiConsumer<ByteSink, T> write) {
        number(elements.size());
        elements.forEach(each -> write.accept(this, each));
        return this;
    }

    int size() {
        return bytes.size();
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
