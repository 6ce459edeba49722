package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * One term of this application's leadership, as an elector reports it.
 *
 * <p>An elector with the API {@code v1} stores the saved state. Read and write the saved state at
 * {@code /v1/elections/NAME/state}. The methods may be called on any thread.
 */
public final class ElectorLeadership implements Leadership {

    private final String election;
    private final long term;
    private final Function<ElectorLeadership, Duration> remaining;

    /**
     * @param term the term, or 0 if the elector sends no term
     * @param remaining a function that returns how long the last answer remains fresh
     */
    ElectorLeadership(String election, long term, Function<ElectorLeadership, Duration> remaining) {
        this.election = election;
        this.term = term;
        this.remaining = remaining;
    }

    /**
     * Returns the term, or an empty result if the elector sends no term. The term is a fencing token if the elector
     * elects by lease.
     */
    public OptionalLong term() {
        return term == 0 ? OptionalLong.empty() : OptionalLong.of(term);
    }

    /** Returns the term, or 0 if the elector sends no term. */
    long termOrZero() {
        return term;
    }

    /** Returns true if a fresh answer contains this application as the leader of this term. */
    @Override
    public boolean isCertain() {
        return !remaining().isZero();
    }

    /**
     * Returns how long the elector's last answer remains fresh; zero after this term has ended. The elector's lease can
     * expire earlier.
     */
    @Override
    public Duration remaining() {
        return remaining.apply(this);
    }

    @Override
    public void check() {
        if (!isCertain()) {
            throw new NotLeaderException(election, term);
        }
    }

    @Override
    public String toString() {
        return "term " + term + " of election \"" + election + "\", as its elector reports it";
    }
}
