package dev.doyen.event;

/**
 * The reason why a candidate leads, or does not lead.
 *
 * @param reason the reason, for programs
 * @param sentence the reason as a sentence for people, with the holder and the remaining time if these are known
 */
public record Explanation(Reason reason, String sentence) {

    /** The reasons, as codes for programs. */
    public enum Reason {
        LEADING,
        /** The candidate leads, but it missed a renewal. */
        IN_JEOPARDY,
        /** The term of this candidate has ended, and its work has not stopped yet. */
        STOPPING,
        /** The candidate is releasing the lease. */
        RELEASING,
        /** This participant observes and does not campaign. */
        OBSERVING,
        /** This participant has not read the record yet, because the store has not answered. */
        NOT_SEEN,
        /**
         * The store does not answer, or its answers cannot be used. This process needs an answer to find the leader or
         * to acquire the lease.
         */
        STORE_AWAY,
        /** The store rejects the requests of this process, because a right is missing. */
        STORE_REFUSES,
        /** Another candidate leads. */
        HELD,
        /**
         * A candidate of an older generation leads. This candidate asks it to hand over, and the record does not
         * contain the request yet (rule M8).
         */
        ASKING,
        /**
         * The holder's session has been silent for its ttl. This process fences the session before it acquires the
         * lease.
         */
        FENCING,
        /** The election is paused. */
        ELECTION_PAUSED,
        /** This candidate is paused. */
        CANDIDATE_PAUSED,
        /** The task of this candidate has ended, and the candidate has no new task. */
        WITHOUT_TASK,
        /** This candidate is unhealthy: its health check failed, or has not returned yet. */
        UNHEALTHY,
        /** This process holds no session at the moment, so it cannot hold a lease. */
        NO_SESSION,
        /** This candidate waits after a resignation, a failed acquire, or several expired terms. */
        COOLDOWN,
        /** The lease is free. This candidate waits, because a preferred successor may acquire the lease first. */
        SUCCESSOR_FIRST,
        /** The lease is free. This candidate waits, because candidates of higher priority may acquire it first. */
        PREFERRED_FIRST,
        /** The lease is free, and this candidate is acquiring it. */
        TAKING,
        /** This candidate or observer is closed. */
        GONE
    }
}
