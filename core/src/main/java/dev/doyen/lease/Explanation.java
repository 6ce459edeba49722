package dev.doyen.lease;

/**
 * Why a candidate leads, or does not.
 *
 * @param reason for programs
 * @param sentence for people; says who holds what, and how long it may take
 */
public record Explanation(Reason reason, String sentence) {

    /** One word for each way things can stand. */
    public enum Reason {
        LEADING,
        /** Leading, but a renewal was missed. */
        IN_JEOPARDY,
        /** A term has ended and its work has not stopped yet. */
        STOPPING,
        /** The lease is being given back. */
        RELEASING,
        /** Does not want to lead. */
        OBSERVING,
        /** The record has not been seen yet: the store has not answered. */
        NOT_SEEN,
        /** Another leads. */
        HELD,
        /** The holder has shown no life for its ttl, and its session is being ended. */
        FENCING,
        /** The election is paused. */
        ELECTION_PAUSED,
        /** This candidate is paused. */
        CANDIDATE_PAUSED,
        /** This candidate's task has ended, and no other was given to it. */
        WITHOUT_TASK,
        /** This candidate's health check says no. */
        UNHEALTHY,
        /** This process has no session to hold leases under, for now. */
        NO_SESSION,
        /** Resigned, or failed, a short time ago. */
        STANDING_BACK,
        /** The lease is free, and another is to have it first. */
        HEIR_FIRST,
        /** The lease is free, and those of a higher priority are to have it first. */
        PREFERRED_FIRST,
        /** The lease is free and is being taken. */
        TAKING,
        /** Closed. */
        GONE
    }
}
