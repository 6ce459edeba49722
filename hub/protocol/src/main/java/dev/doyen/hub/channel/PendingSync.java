package dev.doyen.hub.channel;

/**
 * The progress of the SYNC of one attachment.
 *
 * <p>The object contains no list of members, because a client can start many SYNCs and read none of them, and their
 * lists would fill the memory. Members have rising numbers in the order in which they entered. The SYNC sends the
 * members that were present at its start and have not left since then.
 */
public final class PendingSync {

    private final String id;
    private final long last;
    private long sentTo;
    private int pages;

    /**
     * Creates the progress of a SYNC that has sent nothing.
     *
     * @param last the number of the member that entered last
     */
    public PendingSync(String id, long last) {
        this.id = id;
        this.last = last;
    }

    /** Returns true if the SYNC still has to send this member. */
    public boolean includes(Member member) {
        return member.number() > sentTo && member.number() <= last;
    }

    /** Records that a page contains this member. The members must come in the order of their numbers. */
    public void sent(Member member) {
        sentTo = member.number();
    }

    /** Returns the serial of the next page. The serial of the last page has an empty cursor. */
    public String nextSerial(boolean isLast) {
        pages++;
        return id + ":" + (isLast ? "" : Integer.toString(pages));
    }
}
