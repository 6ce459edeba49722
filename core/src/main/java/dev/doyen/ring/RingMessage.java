package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.util.Optional;

/**
 * The messages of a ring. The messages of a round go from a member to its successor only.
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
     */
    record Elect(ViewId view, long round, Key key, int attempt, Passed passed) implements OfContest {}

    /**
     * Peterson: a key on its way to the next member that is still in the contest.
     *
     * @param phase from 1
     * @param second the second of a phase's two messages, which hands on what the first said
     */
    record Compare(ViewId view, long round, int phase, boolean second, Key key, Passed passed) implements OfContest {}

    /** Peterson: on its way to the member that has won, from the one that found out. */
    record Chosen(ViewId view, long round, Member winner, Passed passed) implements OfRound {}

    /** A leader's lap: the term's creator leads. */
    sealed interface OfLeader extends OfRound {
        Term term();

        /** From 1 within the term. */
        long sequence();

        /** The saved state of the leader's term; empty once a heartbeat with it has come home. */
        Optional<SavedState> saved();
    }

    /** The winner's first heartbeat in a round. */
    record Elected(ViewId view, long round, Term term, long sequence, Optional<SavedState> saved) implements OfLeader {
        public Elected {
            checkTerm(term, saved);
        }
    }

    /** The leader's heartbeat. */
    record Beat(ViewId view, long round, Term term, long sequence, Optional<SavedState> saved) implements OfLeader {
        public Beat {
            checkTerm(term, saved);
        }
    }

    private static void checkTerm(Term term, Optional<SavedState> saved) {
        saved.map(each -> each.id().term()).filter(of -> !of.equals(term)).ifPresent(of -> {
            throw new IllegalArgumentException("a leader in term " + term + " sends a state of term " + of);
        });
    }

    /**
     * The answer to a message of a view that is past, or of a term that is: where the sender of this one is.
     *
     * @param view the view it has installed
     * @param term the greatest term it has seen
     */
    record Nack(ViewId view, Term term) implements RingMessage {}

    /**
     * From the member that has led in this term, and has stopped, to the member that leads next.
     *
     * @param view the view it has installed
     * @param round the round it was in
     */
    record Yield(ViewId view, long round, Term term) implements RingMessage {}

    /** From the winner of a round to a member that keeps a newer saved state. */
    record StateRequest(ViewId view) implements RingMessage {}

    /** The answer, with the newest saved state that its sender keeps. */
    record StateResponse(ViewId view, SavedState saved) implements RingMessage {}
}
