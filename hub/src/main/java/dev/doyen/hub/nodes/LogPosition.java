package dev.doyen.hub.nodes;

/**
 * A place in the log that all nodes of a hub read: when it was written, by the log's clock, and the how manyth in that
 * millisecond. Each is later than those before it.
 */
public record LogPosition(long millis, long number) {

    /** Before everything. */
    public static final LogPosition START = new LogPosition(0, 0);

    /** As {@link #toString} writes it. Errors: {@link IllegalArgumentException} if it is anything else. */
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
