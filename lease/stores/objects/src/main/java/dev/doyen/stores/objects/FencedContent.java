package dev.doyen.stores.objects;

import java.util.Arrays;

/** The content of a guarded object, with the highest admitted term. The term is 0 if no term was admitted. */
public final class FencedContent {

    private final long term;
    private final byte[] bytes;

    FencedContent(long term, byte[] bytes) {
        this.term = term;
        this.bytes = bytes.clone();
    }

    public long term() {
        return term;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FencedContent that && term == that.term && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(term) * 31 + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes of term " + term;
    }
}
