package dev.doyen.group;

import dev.doyen.candidate.Saves;
import dev.doyen.candidate.TermLeadership;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipLoop;
import java.time.Duration;
import java.util.Optional;

/**
 * One term of an election over a membership. {@link #remaining} and {@link #isCertain} read the current state of the
 * loop.
 */
final class MembershipLeadership extends TermLeadership implements RingLeadership {

    private final MembershipLoop loop;

    /** @param state the saved state with which the term began, or a state that was saved later in this term */
    MembershipLeadership(
            String election, long term, SavedState state, MembershipLoop loop, Threads threads, Saves saves) {
        super(election, term, state, threads, saves);
        this.loop = loop;
    }

    @Override
    public long counter() {
        return number();
    }

    @Override
    public boolean isCertain() {
        return !remaining().isZero();
    }

    @Override
    public Duration remaining() {
        return loop.remaining(number());
    }

    @Override
    protected Optional<SavedState> currentState() {
        return loop.state(number());
    }
}
