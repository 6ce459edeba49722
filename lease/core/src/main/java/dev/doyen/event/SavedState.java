package dev.doyen.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A few bytes that a leader saves for the next leader. Immutable.
 *
 * <p>Use a saved state for the position of the work, such as the last row or the last count. Do not use it for the
 * data of the work. A saved state has at most {@value #MAX_BYTES} bytes.
 */
public final class SavedState {

    public static final int MAX_BYTES = 64 * 1024;

    public static final SavedState EMPTY = new SavedState(new byte[0]);

    private final byte[] bytes;

    private SavedState(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns a state with a copy of {@code bytes}.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_BYTES} bytes
     */
    public static SavedState of(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("the saved state has " + bytes.length + " bytes; at most " + MAX_BYTES
                    + " can be saved for the next leader: save a pointer to the rest");
        }
        return bytes.length == 0 ? EMPTY : new SavedState(bytes.clone());
    }

    /**
     * Returns a state with the UTF-8 bytes of {@code text}.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_BYTES} bytes
     */
    public static SavedState ofText(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the bytes decoded as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SavedState that && Arrays.equals(bytes, that.bytes);
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
