package dev.doyen;

import dev.doyen.driver.RingLoop;
import dev.doyen.event.HandOverState;
import java.time.Duration;

/** One term on a ring, read from the loop's view at each question. */
final class RingLeadership implements Leadership {

    private final String election;
    private final long term;
    private final RingLoop loop;

    RingLeadership(String election, long term, RingLoop loop) {
        this.election = election;
        this.term = term;
        this.loop = loop;
    }

    /** {@inheritDoc} On two sides of a partition two may be equal: see {@link Election#ring}. */
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

    /** Empty: a ring keeps nothing. */
    @Override
    public HandOverState state() {
        return HandOverState.EMPTY;
    }

    /** Refused: a ring keeps nothing. */
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
