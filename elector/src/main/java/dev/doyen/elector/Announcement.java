package dev.doyen.elector;

/**
 * A change of leader, or of the reason why there is none, written once for all who listen.
 *
 * @param election the election that changed
 * @param number this announcement's place among all of this elector's, from 1
 * @param plain the block for {@link ElectorStream.Dialect#PLAIN} streams; empty if only the reason is another, which they
 *     do not tell
 * @param event the block for {@link ElectorStream.Dialect#EVENTS} streams
 */
public record Announcement(String election, long number, String plain, String event) {

    /** The block for streams of that dialect; empty if there is nothing to write to them. */
    public String block(ElectorStream.Dialect dialect) {
        return dialect == ElectorStream.Dialect.PLAIN ? plain : event;
    }
}
