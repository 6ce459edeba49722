package dev.doyen.ranking;

import java.util.Comparator;

/**
 * State that a leader left for the next (rule K18).
 *
 * @param term in which it was written; as the message's fence says, not its body
 * @param seq counts the checkpoints of a term, from 1
 * @param state the application's; at most {@link Checkpoints#MAX_STATE} characters
 */
public record Checkpoint(long term, long seq, String state) implements Comparable<Checkpoint> {

    private static final Comparator<Checkpoint> ORDER =
            Comparator.comparingLong(Checkpoint::term).thenComparingLong(Checkpoint::seq);

    public Checkpoint {
        if (state.length() > Checkpoints.MAX_STATE) {
            throw new IllegalArgumentException("the checkpoint's state has " + state.length() + " characters; at most "
                    + Checkpoints.MAX_STATE + " are kept: keep it elsewhere, and its name here");
        }
    }

    /** By term, then by seq. The next leader starts from the greatest. */
    @Override
    public int compareTo(Checkpoint other) {
        return ORDER.compare(this, other);
    }
}
