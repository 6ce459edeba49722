package dev.doyen.event;

/**
 * The reason why a candidate leads, or does not lead.
 *
 * @param reason for programs
 * @param sentence for people; names the holder and the remaining time, if known
 */
public record Explanation(Reason reason, String sentence) {

    /** The reasons, for programs. */
    public enum Reason {
        LEADING,
        /** The candidate leads, but it missed a renewal. */
        IN_JEOPARDY,
        /** A term has ended, and its work has not stopped yet. */
        STOPPING,
        /** The candidate is releasing the lease. */
        RELEASING,
        /** The machine observes and does not campaign. */
        OBSERVING,
        /** The record has not been read yet, because the store has not answered. */
        NOT_SEEN,
        /** Another candidate leads. */
        HELD,
        /** The holder's session has been silent for its ttl, and is being fenced. */
        FENCING,
        /** The election is paused. */
        ELECTION_PAUSED,
        /** This candidate is paused. */
        CANDIDATE_PAUSED,
        /** The task of this candidate has ended, and it has no other task. */
        WITHOUT_TASK,
        /** The health check of this candidate failed. */
        UNHEALTHY,
        /** This process leads no session at the moment, so it cannot hold a lease. */
        NO_SESSION,
        /** The candidate resigned or failed a short time ago, and waits. */
        COOLDOWN,
        /** The lease is free, and a preferred successor may acquire it first. */
        SUCCESSOR_FIRST,
        /** The lease is free, and candidates of a higher priority may acquire it first. */
        PREFERRED_FIRST,
        /** The lease is free, and this candidate is acquiring it. */
        TAKING,
        /** This candidate or observer is closed. */
        GONE
    }
}
