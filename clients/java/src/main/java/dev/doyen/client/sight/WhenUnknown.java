package dev.doyen.client.sight;

/** What this process takes itself for when the elector has not answered within the bound. */
public enum WhenUnknown {
    /** It does not lead. The default: there may be no leader for a while, but not two. */
    FOLLOW,

    /**
     * It stays what it last was: a leader goes on leading. What it costs: when an elector dies, or the way to it, its
     * lease runs out and another leads, while this process still takes itself for the leader, for as long as the elector
     * is not heard. Only for work that two may do at a time, and never without giving the term to what is written to.
     */
    KEEP
}
