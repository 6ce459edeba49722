package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.util.Optional;

/**
 * A message of the ring election.
 *
 * <p>Each member sends the messages of a round only to the next member. Rounds are numbered within a view, so view and
 * round together identify a round.
 */
public sealed interface RingMessage {

    ViewId view();

    /** A message that belongs to a round. */
    sealed interface OfRound extends RingMessage {
        long round();
    }

    /** A message that finds the winner. The papers of Chang and Roberts and of Peterson count only these messages. */
    sealed interface OfContest extends OfRound {
        Key key();
    }

    /**
     * The key of a member, in the algorithm of Chang and Roberts.
     *
     * @param attempt the number of the attempt, from 1. The number distinguishes a key that was sent again from a
     *     message that the network duplicated
     */
    record Elect(ViewId view, long round, Key key, int attempt, Passed passed) implements OfContest {}

    /**
     * A key for the next active member, in the algorithm of Peterson.
     *
     * @param phase the number of the phase, from 1
     * @param second true for the second message of a phase, which forwards the key of the first message
     */
    record Compare(ViewId view, long round, int phase, boolean second, Key key, Passed passed) implements OfContest {}

    /**
     * The message that notifies the winner, in the algorithm of Peterson. The last active member sends this message.
     */
    record Chosen(ViewId view, long round, Member winner, Passed passed) implements OfRound {}

    /** A heartbeat of the leader, which is the creator of the term. */
    sealed interface OfLeader extends OfRound {
        Term term();

        /** Returns the number of the heartbeat within the term, from 1. */
        long sequence();

        /**
         * Returns the saved state of the term. The result is empty if a heartbeat with this saved state has returned
         * since the last won round.
         */
        Optional<VersionedState> saved();
    }

    /** The elected message: the first heartbeat after a won round. */
    record Elected(ViewId view, long round, Term term, long sequence, Optional<VersionedState> saved)
            implements OfLeader {
        public Elected {
            checkTerm(term, saved);
        }
    }

    /** Any further heartbeat of a won round, after {@link Elected}. */
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
     * @param term the greatest term that the sender of the answer has received
     */
    record Nack(ViewId view, Term term) implements RingMessage {}

    /**
     * A former leader's request that its successor opens the next round (rules H1, H2).
     *
     * @param view the view that the sender has installed
     * @param round the number of the sender's round
     */
    record Yield(ViewId view, long round, Term term) implements RingMessage {}

    /** The request of a round's winner to a member that stores a newer saved state. */
    record StateRequest(ViewId view) implements RingMessage {}

    /** The answer to {@link StateRequest}: the newest saved state of the sender. */
    record StateResponse(ViewId view, VersionedState saved) implements RingMessage {}
}
