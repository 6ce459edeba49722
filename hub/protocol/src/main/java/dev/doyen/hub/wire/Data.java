package dev.doyen.hub.wire;

import java.util.Arrays;

/**
 * The payload of a message: text, bytes or nothing. Objects are sent as text with {@code encoding: "json"}.
 *
 * <p>In memory, bytes stay bytes. In JSON frames, bytes are base64, and the last step of the encoding is {@code
 * base64}. The codec adds and removes that step, so that no other code has to handle it.
 */
public sealed interface Data {

    /** The empty payload: the field is absent or null. */
    Data NONE = new None();

    /** Creates a payload from text to which the encoding was already applied. */
    static Data text(String text) {
        return new Text(text);
    }

    /** Creates a payload from a copy of the bytes. */
    static Data bytes(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** Returns the size in bytes. The size of text is its size in UTF-8. */
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

    /** A payload of bytes. Its public methods copy the bytes, so callers cannot change the payload. */
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
