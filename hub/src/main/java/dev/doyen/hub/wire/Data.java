package dev.doyen.hub.wire;

import java.util.Arrays;

/**
 * What a message carries: text, bytes or nothing. Objects travel as text with {@code encoding: "json"}.
 *
 * <p>Bytes are kept as bytes. On JSON frames they are base64 text and the encoding's last step says so; the codec adds
 * that step for a JSON receiver and takes it off on reading, so no other code meets it.
 */
public sealed interface Data {

    /** Nothing: the field is absent, or null. */
    Data NONE = new None();

    /** Text as it travels; any encoding is still applied. */
    static Data text(String text) {
        return new Text(text);
    }

    /** A copy of these bytes. */
    static Data bytes(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** Units: bytes, text counted as UTF-8. */
    int size();

    record None() implements Data {
        @Override
        public int size() {
            return 0;
        }
    }

    record Text(String text) implements Data {
        @Override
        public int size() {
            return Utf8.length(text);
        }
    }

    /** Immutable: what goes in and what comes out are copies. */
    final class Bytes implements Data {
        private final byte[] bytes;

        private Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        static Bytes owned(byte[] bytes) {
            return new Bytes(bytes);
        }

        public byte[] toArray() {
            return bytes.clone();
        }

        byte[] shared() {
            return bytes;
        }

        @Override
        public int size() {
            return bytes.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Bytes[" + bytes.length + "]";
        }
    }
}
