package dev.doyen.ring;

/** The part that a member plays in the election of its view. Derived from the state. */
enum RingPhase {
    /** No view contains the member. */
    OUTSIDE,
    /** The member does not know the result of its round. */
    ELECTING,
    /** The member has won the round and waits for a saved state (rule T4). */
    AWAITING_STATE,
    /** The member leads, whether or not a round is open. */
    LEADING,
    /** The round is decided, and another member is the known leader. */
    FOLLOWING,
    /** The round is decided, and no leader is known. */
    LEADERLESS,
    /** The member has left the election. */
    GONE;

    static RingPhase of(RingStepContext step) {
        RoundState round = step.round;
        if (step.gone) {
            return GONE;
        }
        if (step.leaderState != null) {
            return LEADING;
        }
        if (round == null) {
            return OUTSIDE;
        }
        if (!round.decided()) {
            return round.awaiting() == null ? ELECTING : AWAITING_STATE;
        }
        return step.knownLeader.named() ? FOLLOWING : LEADERLESS;
    }
}
