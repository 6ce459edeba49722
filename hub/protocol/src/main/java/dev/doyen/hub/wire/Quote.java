package dev.doyen.hub.wire;

/** Quotes client input in an error text and limits its length. */
public final class Quote {

    /** Names within the hub's default limits are not cut. */
    private static final int LONGEST = 255;

    private Quote() {}

    public static String of(String text) {
        if (text.length() <= LONGEST) {
            return '"' + text + '"';
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return '"' + text.substring(0, end) + "...\"";
    }
}
