package dev.doyen.examples.feed;

import java.io.IOException;

/**
 * A line of the feed as a holder passes it on.
 *
 * @param term the holder's, by which the others know whether it still holds
 */
record TermLine(long term, Line line) {

    /** Reads {@code TERM NUMBER TEXT}. */
    static TermLine parse(String text) throws IOException {
        Line termAndRest = Line.parse(text);
        return new TermLine(termAndRest.number(), Line.parse(termAndRest.text()));
    }

    @Override
    public String toString() {
        return term + " " + line;
    }
}
