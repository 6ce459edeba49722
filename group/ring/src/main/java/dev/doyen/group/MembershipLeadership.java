package dev.doyen.group;

import dev.doyen.candidate.Saves;
import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipLoop;
import java.time.Duration;

/** One term of an election over a membership. Each call reads the loop's view. */
final class MembershipLeadership implements RingLeadership {

    private final String election;
    private final long term;
    private final MembershipLoop loop;
    private final Threads threads;
    private final Saves saves;
    private volatile SavedState lastState;

    /** @param state the state with which the term began, or a later one of this term */
    MembershipLeadership(
            String election, long term, SavedState state, MembershipLoop loop, Threads threads, Saves saves) {
        this.election = election;
        this.term = term;
        this.lastState = state;
        this.loop = loop;
        this.threads = threads;
        this.saves = saves;
    }

    @Override
    public long counter() {
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

    @Override
    public SavedState state() {
        loop.state(term).ifPresent(state -> lastState = state);
        return lastState;
    }

    @Override
    public void save(SavedState state) throws InterruptedException {
        saves.save(threads, election, term, state);
        lastState = loop.state(term).orElse(state);
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
