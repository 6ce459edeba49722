package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * One term, as an elector reports it.
 *
 * <p>The elector has the saved state. Read and write it there: {@code /v1/elections/NAME/state}. Threads: any.
 */
public final class ElectorLeadership implements Leadership {

    private final String election;
    private final long term;
    private final Function<ElectorLeadership, Duration> remaining;

    /**
     * @param term the term, or 0 if the elector sends none
     * @param remaining returns how long the last answer remains fresh
     */
    ElectorLeadership(String election, long term, Function<ElectorLeadership, Duration> remaining) {
        this.election = election;
        this.term = term;
        this.remaining = remaining;
    }

    /** Returns the term; empty if the elector sends none. It is a fencing token if the elector elects by lease. */
    public OptionalLong term() {
        return term == 0 ? OptionalLong.empty() : OptionalLong.of(term);
    }

    /** Returns the term, or 0 if the elector sends none. */
    long termOrZero() {
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
