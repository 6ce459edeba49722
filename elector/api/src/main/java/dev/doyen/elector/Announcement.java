package dev.doyen.elector;

/**
 * A change of leader, or of the reason why there is none, formatted once for all streams.
 *
 * @param election the election that changed
 * @param number the number of this announcement among all of this elector's, from 1
 * @param plain the block for {@link ElectorStream.Dialect#PLAIN} streams; empty if only the reason has changed, which
 *     they do not contain
 * @param event the block for {@link ElectorStream.Dialect#EVENTS} streams
 */
public record Announcement(String election, long number, String plain, String event) {

    /** The block for streams of that dialect; empty if they receive nothing. */
    public String block(ElectorStream.Dialect dialect) {
        return dialect == ElectorStream.Dialect.PLAIN ? plain : event;
    }
}
