package dev.doyen.hub.log;

/**
 * A position in the log of all nodes: a millisecond of the log's clock and a number.
 *
 * <p>Positions strictly rise.
 */
public record LogPosition(long millis, long number) {

    /** Before all entries. */
    public static final LogPosition START = new LogPosition(0, 0);

    /** Reads what {@link #toString} writes. Errors: {@link IllegalArgumentException} for anything else. */
    public static LogPosition parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("\"" + text + "\" is no position in a log: MILLISECONDS-NUMBER");
        }
        return new LogPosition(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public String toString() {
        return millis + "-" + number;
    }
}
