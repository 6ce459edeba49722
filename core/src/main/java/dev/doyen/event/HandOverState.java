package dev.doyen.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A few bytes that the leader saves for the next leader. Immutable.
 *
 * <p>It is for where the work stands (the last row, the last count), not for the work itself: at most
 * {@value #MAX_BYTES} bytes.
 */
public final class HandOverState {

    public static final int MAX_BYTES = 64 * 1024;

    public static final HandOverState EMPTY = new HandOverState(new byte[0]);

    private final byte[] bytes;

    private HandOverState(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies {@code bytes}. Throws {@link IllegalArgumentException} over {@link #MAX_BYTES}. */
    public static HandOverState of(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("hand-over state has " + bytes.length + " bytes; at most " + MAX_BYTES
                    + " can be saved for the next leader: save a pointer to the rest");
        }
        return bytes.length == 0 ? EMPTY : new HandOverState(bytes.clone());
    }

    /** The text's UTF-8 bytes. */
    public static HandOverState ofText(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** How many bytes it has. */
    public int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HandOverState that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
