package dev.doyen.ring;

import dev.doyen.event.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in one round of one view.
 *
 * @param mine its key, frozen for the round
 * @param began when it entered the round: before it sent its key for the first time
 * @param decided whether it knows how the round ended
 * @param awaited what it has won the round with, while it waits for a saved state; null otherwise
 * @param contest what the algorithm keeps
 * @param giveUpAtNanos when it opens the next round, if nobody is known to lead by then
 */
record RoundState(
        long number,
        Key mine,
        Moment began,
        boolean decided,
        @Nullable Awaited awaited,
        Contest contest,
        long giveUpAtNanos) {

    /** A round that is just being entered. */
    static RoundState begin(long number, Key mine, Moment now, Contest contest, long giveUpAtNanos) {
        return new RoundState(number, mine, now, false, null, contest, giveUpAtNanos);
    }

    /** What an algorithm keeps of a round. */
    sealed interface Contest {}

    /**
     * Chang-Roberts.
     *
     * @param best the greatest key that was seen or sent, null before any
     * @param bestAttempt the latest attempt of it
     * @param attempts how often it has sent its own key
     * @param sentAt when last
     * @param retryAtNanos when it sends its own again, unless it has seen a greater one
     */
    record Race(@Nullable Key best, int bestAttempt, int attempts, Moment sentAt, long retryAtNanos)
            implements Contest {}

    /**
     * Peterson.
     *
     * @param begun whether it has sent anything
     * @param active whether it still takes part, or only passes on
     * @param value the key it stands for
     * @param first what the first message of this phase said, null before it came
     * @param phase which phase's message is due next from the predecessor, from 1; the second one if first is there
     */
    record Duel(
            boolean begun,
            boolean active,
            Key value,
            @Nullable Key first,
            int phase) implements Contest {}

    /**
     * A round that is won, and whose winner waits for a saved state (rule T4).
     *
     * @param sentAt before the message was sent whose return shows that it has won
     * @param passed what that message has learned
     */
    record Awaited(Moment sentAt, Passed passed) {}

    RoundState with(Contest next) {
        return new RoundState(number, mine, began, decided, awaited, next, giveUpAtNanos);
    }

    RoundState awaiting(Awaited what) {
        return new RoundState(number, mine, began, decided, what, contest, giveUpAtNanos);
    }

    RoundState asDecided() {
        return new RoundState(number, mine, began, true, null, contest, giveUpAtNanos);
    }

    RoundState givingUpAt(long atNanos) {
        return new RoundState(number, mine, began, decided, awaited, contest, atNanos);
    }
}
