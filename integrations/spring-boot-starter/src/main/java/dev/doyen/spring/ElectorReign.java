package dev.doyen.spring;

import dev.doyen.Leadership;
import dev.doyen.NotLeaderException;
import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.function.Function;

/** One term, as an elector reports it. */
final class ElectorReign implements Leadership {

    private final String election;
    private final long term;
    private final Function<ElectorReign, Duration> remaining;

    /** @param remaining returns how long the last answer remains fresh */
    ElectorReign(String election, long term, Function<ElectorReign, Duration> remaining) {
        this.election = election;
        this.term = term;
        this.remaining = remaining;
    }

    /** Returns the elector's term, or 0 if it sends none. No fence admits 0. */
    @Override
    public long term() {
        return term;
    }

    /** Returns whether the elector names this application in a fresh answer. */
    @Override
    public boolean isCertain() {
        return !remaining().isZero();
    }

    /** Returns how long the elector's last answer remains fresh. Its lease may expire earlier. */
    @Override
    public Duration remaining() {
        return remaining.apply(this);
    }

    /** Returns an empty state, because the elector has the saved state. */
    @Override
    public SavedState state() {
        return SavedState.EMPTY;
    }

    @Override
    public void save(SavedState state) {
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
