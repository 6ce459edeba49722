package dev.doyen.hub.wire;

/** Measures the UTF-8 length of text and replaces characters that UTF-8 cannot encode. */
public final class Utf8 {

    private Utf8() {}

    /**
     * Returns the length of the text in UTF-8, in bytes. A lone surrogate counts as the three bytes of its replacement.
     */
    public static int length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /**
     * Replaces each lone surrogate by U+FFFD.
     *
     * <p>JSON can contain a lone surrogate as an escape, but UTF-8 cannot encode it. The hub therefore replaces it.
     * Otherwise the hub could not write the frame to the receivers.
     */
    static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return repaired(text);
            }
        }
        return text;
    }

    private static String repaired(String text) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                out.append(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else {
                out.append('\uFFFD');
            }
        }
        return out.toString();
    }
}
