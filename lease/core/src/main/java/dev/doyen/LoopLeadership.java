package dev.doyen;

import dev.doyen.candidate.Saves;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import dev.doyen.lease.LeaderLease;
import java.time.Duration;
import java.util.Optional;

/** One term by lease. Each call reads the loop's view; the last state stays readable after the term. */
final class LoopLeadership implements LeaseLeadership {

    private final String election;
    private final long term;
    private final LeaseLoop loop;
    private final Threads threads;
    private final Saves saves;
    private volatile SavedState lastState;

    LoopLeadership(String election, LeaderLease leaderLease, LeaseLoop loop, Threads threads, Saves saves) {
        this.election = election;
        this.term = leaderLease.term();
        this.lastState = leaderLease.state();
        this.loop = loop;
        this.threads = threads;
        this.saves = saves;
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public boolean isCertain() {
        return leaderLease().filter(g -> g.holdsAt(threads.now())).isPresent();
    }

    @Override
    public Duration remaining() {
        return leaderLease().map(g -> g.remainingAt(threads.now())).orElse(Duration.ZERO);
    }

    @Override
    public SavedState state() {
        leaderLease().ifPresent(g -> lastState = g.state());
        return lastState;
    }

    @Override
    public void save(SavedState state) throws InterruptedException {
        saves.save(threads, election, term, state);
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

    private Optional<LeaderLease> leaderLease() {
        return loop.leaderLease().filter(g -> g.term() == term);
    }
}
