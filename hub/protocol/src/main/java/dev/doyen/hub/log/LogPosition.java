package dev.doyen.hub.log;

/**
 * A position in the log of all nodes. It consists of a millisecond of the log's clock and a number.
 *
 * <p>Positions strictly rise.
 */
public record LogPosition(long millis, long number) {

    /** The position before all entries. */
    public static final LogPosition START = new LogPosition(0, 0);

    /**
     * Parses the text that {@link #toString} returns. Throws {@link IllegalArgumentException} if the text is malformed.
     */
    public static LogPosition parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not a position in a log: MILLISECONDS-NUMBER");
        }
        return new LogPosition(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public String toString() {
        return millis + "-" + number;
    }
}
