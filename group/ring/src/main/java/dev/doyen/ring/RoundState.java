package dev.doyen.ring;

import dev.doyen.event.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The state of one member in one round of a view.
 *
 * @param mine the member's key, which does not change during the round
 * @param began the time at which the member entered the round, before the member sent its key
 * @param decided true if the member has learned the result of the round
 * @param awaiting the win, while the member waits for a saved state (rule T4); null otherwise
 * @param contest the state of the algorithm
 * @param giveUpAtNanos the time at which the member opens the next round, unless it leads. Each heartbeat of another
 *     leader gives this time a new value
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
     * @param best the greatest key that the member has received or sent; null before the first key
     * @param bestAttempt the latest attempt of that key
     * @param attempts the number of times that the member has sent its own key
     * @param sentAt the time at which the member last sent its own key
     * @param retryAtNanos the time at which the member sends its key again, unless it has received a greater key
     */
    record Race(@Nullable Key best, int bestAttempt, int attempts, Moment sentAt, long retryAtNanos)
            implements Contest {}

    /**
     * The state of Peterson.
     *
     * @param begun true if the member has sent a message in this round
     * @param active true if the member is active; false if the member only forwards messages
     * @param value the key that the member represents
     * @param first the key in the first message of this phase; null before this message has arrived
     * @param phase the phase of the next message from the predecessor, from 1. If {@code first} is set, the second
     *     message of the phase is the next message
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
     * @param sentAt the send time of the message whose return showed the win, or an earlier time
     * @param passed the data that the message has collected from all members of the view
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
