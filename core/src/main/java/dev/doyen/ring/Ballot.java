package dev.doyen.ring;

import dev.doyen.event.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in one round of one view.
 *
 * @param mine its key, frozen for the round
 * @param began when it entered the round: before it sent its key for the first time
 * @param decided whether it knows how the round ended
 * @param contest what the algorithm keeps
 * @param giveUpAtNanos when it opens the next round, if nobody is known to lead by then
 */
record Ballot(long round, Key mine, Moment began, boolean decided, Contest contest, long giveUpAtNanos) {

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

    Ballot with(Contest next) {
        return new Ballot(round, mine, began, decided, next, giveUpAtNanos);
    }

    Ballot asDecided() {
        return new Ballot(round, mine, began, true, contest, giveUpAtNanos);
    }

    Ballot givingUpAt(long atNanos) {
        return new Ballot(round, mine, began, decided, contest, atNanos);
    }
}
