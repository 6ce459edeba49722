package dev.doyen.hub.wire;

/** Quotes client input in an error text and limits the length of the quote. */
public final class Quote {

    /** The maximum length of a quote. A name that the hub's default limits allow is never cut. */
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
