package dev.doyen.spring;

import dev.doyen.Leadership;
import dev.doyen.NotLeaderException;
import dev.doyen.event.HandOverState;
import java.time.Duration;
import java.util.function.Function;

/** One term, by the elector's word. */
final class ElectorReign implements Leadership {

    private final String election;
    private final long term;
    private final Function<ElectorReign, Duration> remaining;

    /** @param remaining for how long it is believed, if nothing more is heard */
    ElectorReign(String election, long term, Function<ElectorReign, Duration> remaining) {
        this.election = election;
        this.term = term;
        this.remaining = remaining;
    }

    /** The elector's; 0 if it gives none, which no fence admits. */
    @Override
    public long term() {
        return term;
    }

    /** True if the elector named this application, and did so within the bound. */
    @Override
    public boolean isCertain() {
        return !remaining().isZero();
    }

    /** For how long the elector's word counts if nothing more is heard. Its lease may be over before. */
    @Override
    public Duration remaining() {
        return remaining.apply(this);
    }

    /** Empty: the elector keeps it, not this application. */
    @Override
    public HandOverState state() {
        return HandOverState.EMPTY;
    }

    @Override
    public void save(HandOverState state) {
        throw new UnsupportedOperationException("election \"" + election
                + "\" is the elector's, and so is its state; send it there: PUT /v1/elections/" + election + "/state");
    }

    @Override
    public void check() {
        if (!isCertain()) {
            throw new NotLeaderException(election, term);
        }
    }

    @Override
    public String toString() {
        return "term " + term + " of election \"" + election + "\", by its elector's word";
    }
}
