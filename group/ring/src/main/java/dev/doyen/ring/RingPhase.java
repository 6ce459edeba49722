package dev.doyen.ring;

/** The role of a member in the election of its view. The phase is derived from the state. */
enum RingPhase {
    /** No view is installed, or the installed view does not contain the member. */
    OUTSIDE,
    /** The member has not learned the result of its round. */
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
