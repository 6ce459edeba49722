package dev.doyen.elector;

/**
 * A change of the leader or of the reason for a missing leader.
 *
 * <p>The announcement contains the text blocks that all event streams send. So each block is formatted only once.
 *
 * @param election the election that changed
 * @param number the number of this announcement among all announcements of this elector, from 1
 * @param plain the block for {@link ElectorStream.Dialect#PLAIN} streams; empty if only the reason has changed, because
 *     these streams do not contain the reason
 * @param event the block for {@link ElectorStream.Dialect#EVENTS} streams
 */
public record Announcement(String election, long number, String plain, String event) {

    /** Returns the block for streams of that dialect; empty if these streams receive no block. */
    public String block(ElectorStream.Dialect dialect) {
        return dialect == ElectorStream.Dialect.PLAIN ? plain : event;
    }
}
