package dev.doyen;

import dev.doyen.driver.MembershipLoop;
import dev.doyen.event.HandOverState;
import java.time.Duration;

/** One term of an election over a membership, read from the loop's view at each question. */
final class MembershipLeadership implements Leadership {

    private final String election;
    private final long term;
    private final MembershipLoop loop;

    MembershipLeadership(String election, long term, MembershipLoop loop) {
        this.election = election;
        this.term = term;
        this.loop = loop;
    }

    /**
     * {@inheritDoc} On two sides of a partition two may be equal, but on a ring whose voters keep their promises: see
     * {@link Election#ring}.
     */
    @Override
    public long term() {
        return term;
    }

    @Override
    public boolean isCertain() {
        return !remaining().isZero();
    }

    @Override
    public Duration remaining() {
        return loop.remaining(term);
    }

    /** Empty: members keep nothing. */
    @Override
    public HandOverState state() {
        return HandOverState.EMPTY;
    }

    /** Refused: members keep nothing. */
    @Override
    public void save(HandOverState state) {
        throw new UnsupportedOperationException("election \"" + election
                + "\" is on a ring, which keeps no state for the next leader; keep it elsewhere, or elect by lease");
    }

    @Override
    public void check() {
        if (!isCertain()) {
            throw new NotLeaderException(election, term);
        }
    }

    @Override
    public String toString() {
        return "term " + term + " of election \"" + election + "\"";
    }
}
