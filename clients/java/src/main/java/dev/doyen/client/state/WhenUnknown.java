package dev.doyen.client.state;

/** What the client reports while the last answer is outdated. */
public enum WhenUnknown {
    /** This process does not lead. This is the default: for a while there may be no leader, but not two. */
    FOLLOW,

    /**
     * The last state remains, so a leader continues to lead.
     *
     * <p>The risk: if the elector dies or becomes unreachable, its lease expires and another process leads. But this
     * process continues to lead for as long as it gets no answer. Use this only for work that two processes may do at
     * once, and always pass the term to the resource.
     */
    KEEP
}
