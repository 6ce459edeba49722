package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;

/**
 * What members of a ring say to each other. All but {@link Nack} go from a member to its successor only.
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
    sealed interface OfContest extends OfRound {}

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
    }

    /** The winner's first lap in a round. */
    record Elected(ViewId view, long round, Term term, long sequence) implements OfLeader {}

    /** The leader's lap, again and again. */
    record Beat(ViewId view, long round, Term term, long sequence) implements OfLeader {}

    /**
     * The answer to a message of a view that is past, or of a term that is: where the sender of this one is.
     *
     * @param view the view it has installed
     * @param term the greatest term it has seen
     */
    record Nack(ViewId view, Term term) implements RingMessage {}
}
