package dev.doyen.demo.ring;

import java.util.Locale;

/** The fault in a recording. */
public enum RecordingFault {
    /** No fault; the message counts match the theory. */
    NONE,
    /** The first message after the chosen time with the highest number is lost; for Peterson, any election message. */
    LOST,
    /** The chosen member crashes at the chosen time. */
    CRASH,
    /** The leader crashes soon after all members know it. */
    KILLED,
    /** The leader is cut off soon after all members know it, and the network heals later. */
    CUT,
    /** The network splits into halves soon after all members know the leader, and heals later. */
    SPLIT;

    /** The name in a query, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
