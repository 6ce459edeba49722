package dev.doyen;

import dev.doyen.candidate.Saves;
import dev.doyen.candidate.TermLeadership;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import dev.doyen.lease.LeaderLease;
import java.time.Duration;
import java.util.Optional;

/** One term of a leader that was elected by lease. Each call reads the current state of the loop. */
final class LoopLeadership extends TermLeadership implements LeaseLeadership {

    private final LeaseLoop loop;
    private final Threads threads;

    LoopLeadership(String election, LeaderLease leaderLease, LeaseLoop loop, Threads threads, Saves saves) {
        super(election, leaderLease.term(), leaderLease.state(), threads, saves);
        this.loop = loop;
        this.threads = threads;
    }

    @Override
    public long term() {
        return number();
    }

    @Override
    public boolean isCertain() {
        return leaderLease().filter(lease -> lease.holdsAt(threads.now())).isPresent();
    }

    @Override
    public Duration remaining() {
        return leaderLease().map(lease -> lease.remainingAt(threads.now())).orElse(Duration.ZERO);
    }

    @Override
    protected Optional<SavedState> currentState() {
        return leaderLease().map(LeaderLease::state);
    }

    private Optional<LeaderLease> leaderLease() {
        return loop.leaderLease().filter(lease -> lease.term() == number());
    }
}
