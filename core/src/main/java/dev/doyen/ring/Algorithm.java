package dev.doyen.ring;

import dev.doyen.membership.Member;

/** How the greatest key is found (rule R4). Its memory is in the {@link RoundState}. */
interface Algorithm {

    /** What is kept of a round that is just being entered. */
    RoundState.Contest begin(Key mine);

    /** Sends this member's key, unless what came before has made that pointless. */
    void enter(Seat seat, RoundState round);

    /** A message of this round came from the predecessor. */
    void received(Seat seat, Member from, RingMessage.OfRound message);

    /** Whether something is sent again if nothing happens. */
    boolean retries(RoundState round);

    long retryAtNanos(RoundState round);

    void retry(RoundState round);
}
