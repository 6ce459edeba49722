package dev.doyen.hub.wire;

/** Puts what a client wrote into a sentence: quoted, and cut so that no sentence grows with its input. */
public final class Quote {

    /** Names up to the hub's own limits stay whole. */
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
