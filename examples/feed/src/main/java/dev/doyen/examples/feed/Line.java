package dev.doyen.examples.feed;

import java.io.IOException;

/**
 * A line of the feed.
 *
 * @param number the number of the line; the feed counts from 1 without gaps
 * @param text the content of the line
 */
record Line(long number, String text) {

    /** Parses {@code NUMBER TEXT}. */
    static Line parse(String line) throws IOException {
        int space = line.indexOf(' ');
        try {
            return new Line(Long.parseLong(line.substring(0, Math.max(space, 0))), line.substring(space + 1));
        } catch (NumberFormatException e) {
            throw new IOException("a line of the feed has no number before its text: \"" + line + "\"", e);
        }
    }

    @Override
    public String toString() {
        return number + " " + text;
    }
}
