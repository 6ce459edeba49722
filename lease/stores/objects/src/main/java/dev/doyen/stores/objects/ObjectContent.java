package dev.doyen.stores.objects;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** An object's bytes, media type and metadata. Names of metadata are in lower case. Instances are immutable. */
public final class ObjectContent {

    private final byte[] bytes;
    private final String mediaType;
    private final Map<String, String> metadata;

    private ObjectContent(byte[] bytes, String mediaType, Map<String, String> metadata) {
        this.bytes = bytes;
        this.mediaType = mediaType;
        this.metadata = Map.copyOf(metadata);
    }

    /** Creates an {@code ObjectContent} with a copy of {@code bytes}. */
    public static ObjectContent of(byte[] bytes, String mediaType, Map<String, String> metadata) {
        return new ObjectContent(bytes.clone(), mediaType, metadata);
    }

    public static ObjectContent ofText(String text) {
        return new ObjectContent(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8", Map.of());
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the bytes as UTF-8 text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public String mediaType() {
        return mediaType;
    }

    public Map<String, String> metadata() {
        return metadata;
    }

    ObjectContent withBytes(byte[] next) {
        return new ObjectContent(next.clone(), mediaType, metadata);
    }

    /** Returns a copy with this additional metadata. A new entry replaces an existing entry of the same name. */
    ObjectContent withMetadata(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(metadata);
        all.putAll(more);
        return new ObjectContent(bytes, mediaType, all);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ObjectContent that
                && Arrays.equals(bytes, that.bytes)
                && mediaType.equals(that.mediaType)
                && metadata.equals(that.metadata);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes of " + mediaType + " " + metadata.keySet();
    }
}
