package dev.doyen.hub;

/**
 * A place in the log that all nodes of a hub read: when it was written, by the log's clock, and the how manyth in that
 * millisecond. Each is later than those before it.
 */
public record LogPosition(long millis, long number) implements Comparable<LogPosition> {

    /** Before everything. */
    public static final LogPosition START = new LogPosition(0, 0);

    @Override
    public int compareTo(LogPosition other) {
        int byTime = Long.compare(millis, other.millis);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
