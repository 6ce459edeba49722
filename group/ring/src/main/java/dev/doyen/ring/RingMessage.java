package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.util.Optional;

/**
 * A message of the ring election.
 *
 * <p>The messages of a round go from each member to the next one only. Rounds are numbered within a view, so view and
 * round together identify a round.
 */
public sealed interface RingMessage {

    ViewId view();

    /** A message that belongs to a round. */
    sealed interface OfRound extends RingMessage {
        long round();
    }

    /** A message that finds the winner. The known bounds count these messages. */
    sealed interface OfContest extends OfRound {
        Key key();
    }

    /**
     * Chang-Roberts: the key of a candidate.
     *
     * @param attempt from 1; distinguishes a key that was sent again from a duplicate of the network
     */
    record Elect(ViewId view, long round, Key key, int attempt, Passed passed) implements OfContest {}

    /**
     * Peterson: a key on its way to the next active member.
     *
     * @param phase from 1
     * @param second true for the second message of a phase, which forwards the key of the first one
     */
    record Compare(ViewId view, long round, int phase, boolean second, Key key, Passed passed) implements OfContest {}

    /** Peterson: notifies the member that has won. The last active member sends it. */
    record Chosen(ViewId view, long round, Member winner, Passed passed) implements OfRound {}

    /** A heartbeat. The creator of its term leads. */
    sealed interface OfLeader extends OfRound {
        Term term();

        /** Returns the number of the heartbeat within the term, from 1. */
        long sequence();

        /** Returns the saved state of the term; empty after a heartbeat with it has returned. */
        Optional<VersionedState> saved();
    }

    /** The elected message: the first heartbeat after a won round. */
    record Elected(ViewId view, long round, Term term, long sequence, Optional<VersionedState> saved)
            implements OfLeader {
        public Elected {
            checkTerm(term, saved);
        }
    }

    /** A later heartbeat. */
    record Heartbeat(ViewId view, long round, Term term, long sequence, Optional<VersionedState> saved)
            implements OfLeader {
        public Heartbeat {
            checkTerm(term, saved);
        }
    }

    private static void checkTerm(Term term, Optional<VersionedState> saved) {
        saved.map(each -> each.id().term()).filter(of -> !of.equals(term)).ifPresent(of -> {
            throw new IllegalArgumentException("a leader in term " + term + " sends a state of term " + of);
        });
    }

    /**
     * The answer to a message of a past view or term.
     *
     * @param view the view that the sender of the answer has installed
     * @param term the greatest term that it has seen
     */
    record Nack(ViewId view, Term term) implements RingMessage {}

    /**
     * A former leader asks the successor to open the next round (rules H1, H2).
     *
     * @param view the view that the sender has installed
     * @param round the round that the sender was in
     */
    record Yield(ViewId view, long round, Term term) implements RingMessage {}

    /** The winner of a round asks a member for its newer saved state. */
    record StateRequest(ViewId view) implements RingMessage {}

    /** The answer to {@link StateRequest}: the newest saved state of the sender. */
    record StateResponse(ViewId view, VersionedState saved) implements RingMessage {}
}
