package dev.doyen.ring;

import dev.doyen.membership.Member;

/** How the greatest key is found (rule R4). Its memory is in the {@link Ballot}. */
interface Algorithm {

    /** What is kept of a round that is just being entered. */
    Ballot.Contest begin(Key mine);

    /** Sends this member's key, unless what came before has made that pointless. */
    void enter(Seat seat, Ballot ballot);

    /** A message of this round came from the predecessor. */
    void received(Seat seat, Member from, RingMessage.OfRound message);

    /** Whether something is sent again if nothing happens. */
    boolean retries(Ballot ballot);

    long retryAtNanos(Ballot ballot);

    void retry(Ballot ballot);
}
