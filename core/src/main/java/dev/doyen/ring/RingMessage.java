package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;

/**
 * What members of a ring say to each other. All but {@link Nack} and {@link Yield} go from a member to its successor only.
 *
 * <p>A round is numbered within its view: (view, round) names one contest.
 */
public sealed interface RingMessage {

    ViewId view();

    /** The messages that belong to a round. */
    sealed interface OfRound extends RingMessage {
        long round();
    }

    /** The messages that find the winner: what the known bounds count. */
    sealed interface OfContest extends OfRound {
        Key key();
    }

    /**
     * Chang-Roberts: a candidate's key on its way round the ring.
     *
     * @param attempt from 1; a key that was sent again is told from one that the network doubled
     * @param seen the greatest term of all members it has passed
     */
    record Elect(ViewId view, long round, Key key, int attempt, Term seen) implements OfContest {}

    /**
     * Peterson: a key on its way to the next member that is still in the contest.
     *
     * @param phase from 1
     * @param second the second of a phase's two messages, which hands on what the first said
     * @param seen the greatest term of all members it has passed
     */
    record Compare(ViewId view, long round, int phase, boolean second, Key key, Term seen) implements OfContest {}

    /** Peterson: on its way to the member that has won, from the one that found out. */
    record Chosen(ViewId view, long round, Member winner, Term seen) implements OfRound {}

    /** A leader's lap: the term's creator leads. */
    sealed interface OfLeader extends OfRound {
        Term term();

        /** From 1 within the term. */
        long sequence();

        /** The voters that have granted this lap, by {@link Electorate#bitOf}; 0 in AP mode. */
        int grants();

        /** The same lap with the grant of one more voter. */
        OfLeader grantedBy(int voter);
    }

    /** The winner's first lap in a round. In quorum mode it asks for grants, and is sent until there are enough. */
    record Elected(ViewId view, long round, Term term, long sequence, int grants) implements OfLeader {
        public Elected(ViewId view, long round, Term term, long sequence) {
            this(view, round, term, sequence, 0);
        }

        @Override
        public Elected grantedBy(int voter) {
            return new Elected(view, round, term, sequence, grants | voter);
        }
    }

    /** The leader's lap, again and again. */
    record Beat(ViewId view, long round, Term term, long sequence, int grants) implements OfLeader {
        public Beat(ViewId view, long round, Term term, long sequence) {
            this(view, round, term, sequence, 0);
        }

        @Override
        public Beat grantedBy(int voter) {
            return new Beat(view, round, term, sequence, grants | voter);
        }
    }

    /**
     * The answer to a message of a view that is past, or of a term that is: where the sender of this one is.
     *
     * @param view the view it has installed
     * @param term the greatest term it has seen
     */
    record Nack(ViewId view, Term term) implements RingMessage {}

    /**
     * From who has led in this term and has stopped: to the member that is to follow, and in quorum mode to the voters.
     *
     * @param view the view it has installed
     * @param round the round it was in
     * @param heir whether the receiver is to follow
     */
    record Yield(ViewId view, long round, Term term, boolean heir) implements RingMessage {}
}
