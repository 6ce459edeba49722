package dev.doyen.cluster;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Escapes bytes, so that {@link SerializedObjectFilter} never finds an object stream in them.
 *
 * <p>The escaped form has an additional byte after each AC ED. So AC ED 00 05, with which object streams begin, never
 * occurs in the escaped form. Each sequence of bytes has exactly one escaped form.
 */
final class EscapedBytes {

    private static final int MAGIC = 0xACED;

    /** The additional byte. It must differ from 00. */
    private static final byte ESCAPE = 1;

    private EscapedBytes() {}

    static byte[] escape(byte[] plain) {
        var out = new ByteArrayOutputStream(plain.length);
        int last = 0;
        for (byte next : plain) {
            out.write(next);
            last = lastTwo(last, next);
            if (last == MAGIC) {
                out.write(ESCAPE);
            }
        }
        return out.toByteArray();
    }

    /** Returns the bytes that {@link #escape} received. The result is empty if the bytes are no escaped form. */
    static Optional<byte[]> unescape(byte[] escaped, int offset, int length) {
        var plain = new byte[length];
        int size = 0;
        int last = 0;
        for (int i = offset; i < offset + length; i++) {
            plain[size++] = escaped[i];
            last = lastTwo(last, escaped[i]);
            if (last == MAGIC) {
                i++;
                if (i == offset + length || escaped[i] != ESCAPE) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(Arrays.copyOf(plain, size));
    }

    private static int lastTwo(int last, byte next) {
        return ((last << Byte.SIZE) | (next & 0xff)) & 0xffff;
    }
}
