package dev.doyen.ring;

import dev.doyen.event.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The state of one member in one round of a view.
 *
 * @param mine the member's key, which does not change during the round
 * @param began when the member entered the round, before it sent its key
 * @param decided whether the member knows the result of the round
 * @param awaiting the win of a member that waits for a saved state (rule T4); null otherwise
 * @param contest the state of the algorithm
 * @param giveUpAtNanos when the member opens the next round, unless it knows a leader by then
 */
record RoundState(
        long number,
        Key mine,
        Moment began,
        boolean decided,
        @Nullable Win awaiting,
        Contest contest,
        long giveUpAtNanos) {

    /** Returns the state of a round that a member enters. */
    static RoundState begin(long number, Key mine, Moment now, Contest contest, long giveUpAtNanos) {
        return new RoundState(number, mine, now, false, null, contest, giveUpAtNanos);
    }

    /** The state of an algorithm in a round. */
    sealed interface Contest {}

    /**
     * The state of Chang-Roberts.
     *
     * @param best the greatest key that was seen or sent; null before any
     * @param bestAttempt the latest attempt of that key
     * @param attempts how often the member has sent its own key
     * @param sentAt when it did so last
     * @param retryAtNanos when it sends its key again, unless it has seen a greater one
     */
    record Race(@Nullable Key best, int bestAttempt, int attempts, Moment sentAt, long retryAtNanos)
            implements Contest {}

    /**
     * The state of Peterson.
     *
     * @param begun whether the member has sent anything
     * @param active whether the member is active, or only forwards
     * @param value the key that the member represents
     * @param first the key in the first message of this phase; null before it arrived
     * @param phase the phase of the next message from the predecessor, from 1; the second message if {@code first} is
     *     set
     */
    record Duel(
            boolean begun,
            boolean active,
            Key value,
            @Nullable Key first,
            int phase) implements Contest {}

    /**
     * A win: the member's key is the greatest in the round.
     *
     * @param sentAt before the send of the message that showed the win by returning
     * @param passed what that message has collected from all members of the view
     */
    record Win(Moment sentAt, Passed passed) {}

    RoundState with(Contest next) {
        return new RoundState(number, mine, began, decided, awaiting, next, giveUpAtNanos);
    }

    RoundState awaitingState(Win win) {
        return new RoundState(number, mine, began, decided, win, contest, giveUpAtNanos);
    }

    RoundState asDecided() {
        return new RoundState(number, mine, began, true, null, contest, giveUpAtNanos);
    }

    RoundState givingUpAt(long atNanos) {
        return new RoundState(number, mine, began, decided, awaiting, contest, atNanos);
    }
}
