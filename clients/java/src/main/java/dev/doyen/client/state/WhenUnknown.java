package dev.doyen.client.state;

/** The state that the client reports while the last answer is outdated. */
public enum WhenUnknown {
    /**
     * The client reports that this process does not lead. This is the default. Then the leader's work can stop for some
     * time, although the leadership has not ended.
     */
    FOLLOW,

    /**
     * The client reports the last state, so a leader continues to lead.
     *
     * <p>While the elector is down or unreachable, another process can acquire the leadership. This process then still
     * reports that it leads, until it receives an answer. Use this value only for work that two processes may do at the
     * same time, and always pass the term to the resource.
     */
    KEEP
}
