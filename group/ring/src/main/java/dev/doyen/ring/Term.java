package dev.doyen.ring;

import dev.doyen.membership.Member;
import org.jspecify.annotations.Nullable;

/**
 * The number of one leadership on a ring. No other leadership has the same term.
 *
 * <p>A counter alone would repeat on both sides of a network partition. So a term also contains its creator, which is
 * the leader of the term.
 *
 * @param counter the counter, which is compared first; 0 only for {@link #NONE}
 * @param creator the member that created the term, which is compared second; null only for {@link #NONE}
 */
public record Term(long counter, @Nullable Member creator) implements Comparable<Term> {

    /** The value before all terms. */
    public static final Term NONE = new Term(0, null);

    public Term {
        if (counter < 0 || (counter == 0) != (creator == null)) {
            throw new IllegalArgumentException(
                    "term " + counter + " of " + creator + "; a term has a counter from 1 and a creator");
        }
    }

    /** Returns the next term that {@code member} can start after it has received this term. */
    Term next(Member member) {
        return new Term(counter + 1, member);
    }

    Term orLater(Term other) {
        return compareTo(other) >= 0 ? this : other;
    }

    @Override
    public int compareTo(Term other) {
        int byCounter = Long.compare(counter, other.counter);
        return byCounter != 0 || creator == null || other.creator == null
                ? byCounter
                : creator.compareTo(other.creator);
    }
}
