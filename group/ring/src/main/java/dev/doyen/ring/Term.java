package dev.doyen.ring;

import dev.doyen.membership.Member;
import org.jspecify.annotations.Nullable;

/**
 * The number of one leadership on a ring. It is never used again.
 *
 * <p>A counter alone would repeat on both sides of a network partition. So a term also contains the member that took
 * it, which is the leader of the term.
 *
 * @param counter compared first; 0 only for {@link #NONE}
 * @param creator compared second; null only for {@link #NONE}
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

    /** Returns the term that {@code member} takes after it has seen this one. */
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
