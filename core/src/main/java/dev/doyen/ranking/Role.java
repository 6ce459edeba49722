package dev.doyen.ranking;

/** What a member's presence data says of it. */
public enum Role {
    /** {@code L}: it claims to lead. */
    LEADER,
    /** {@code F}: it follows. */
    FOLLOWER
}
