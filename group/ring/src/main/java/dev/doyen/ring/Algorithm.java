package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RoundState.Win;
import java.util.Optional;

/** An algorithm that finds the greatest key of a round (rule R4). Its state is in {@link RoundState}. */
interface Algorithm {

    /** Returns the initial state of the algorithm for a round that this member enters. */
    RoundState.Contest begin(Key mine);

    /**
     * Sends this member's key, unless the member has already sent it. With Chang-Roberts, a received greater key also
     * prevents this.
     */
    void enter(RingPosition position, RoundState round);

    /**
     * Processes a message of this round that the predecessor has sent.
     *
     * @return the win if the message shows that this member's key has won; otherwise empty
     */
    Optional<Win> received(RingPosition position, Member from, RingMessage.OfRound message);

    /** Returns true if the member must send its key again at {@link #retryAtNanos}. */
    boolean retries(RoundState round);

    long retryAtNanos(RoundState round);

    void retry(RoundState round);
}
