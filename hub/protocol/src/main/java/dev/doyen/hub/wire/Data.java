package dev.doyen.hub.wire;

import java.util.Arrays;

/**
 * The payload of a message: text, bytes or nothing. Objects are text with {@code encoding: "json"}.
 *
 * <p>Bytes stay bytes in memory. In JSON frames they are base64, and the last step of the encoding is {@code base64}.
 * The codec adds and removes that step, so no other code handles it.
 */
public sealed interface Data {

    /** No payload: the field is absent or null. */
    Data NONE = new None();

    /** Text as it is sent, with its encoding applied. */
    static Data text(String text) {
        return new Text(text);
    }

    /** Copies the bytes. */
    static Data bytes(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** The size in bytes. Text counts as UTF-8. */
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

    /** Immutable: copies on the way in and out. */
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
