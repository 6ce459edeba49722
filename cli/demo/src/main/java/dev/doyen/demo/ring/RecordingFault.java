package dev.doyen.demo.ring;

import java.util.Locale;

/** The fault in a recording. */
public enum RecordingFault {
    /** No fault; the message counts match the theory. */
    NONE,
    /**
     * After the chosen time, the first message that carries the highest member number is lost. In Peterson's algorithm,
     * the first election message is lost.
     */
    LOST,
    /** The chosen member crashes at the chosen time. */
    CRASH,
    /** The leader crashes soon after all members have received its elected message. */
    KILLED,
    /**
     * The leader is cut off from the other members. This occurs soon after all members have received the leader's
     * elected message. The network heals later.
     */
    CUT,
    /**
     * The network splits into halves soon after all members have received the elected message. The network heals later.
     */
    SPLIT;

    /** Returns the name of the fault in a query, in lower case. */
    public String queryName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
