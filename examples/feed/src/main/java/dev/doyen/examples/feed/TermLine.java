package dev.doyen.examples.feed;

import java.io.IOException;

/**
 * A line of the feed with the term of the holder that sends the line.
 *
 * @param term the holder's term, with which receivers detect a holder that no longer leads
 */
record TermLine(long term, Line line) {

    /** Parses {@code TERM NUMBER TEXT}. */
    static TermLine parse(String text) throws IOException {
        Line termAndRest = Line.parse(text);
        return new TermLine(termAndRest.number(), Line.parse(termAndRest.text()));
    }

    @Override
    public String toString() {
        return term + " " + line;
    }
}
