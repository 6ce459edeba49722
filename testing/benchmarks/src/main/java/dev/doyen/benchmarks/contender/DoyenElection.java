package dev.doyen.benchmarks.contender;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.store.LeaseStore;
import java.time.Duration;

/** Doyen with one lease for each election. The leader of an election renews the election's lease. */
final class DoyenElection implements Contender {

    private final LeaseStore store;
    private final Duration ttl;

    private DoyenElection(LeaseStore store, Duration ttl) {
        this.store = store;
        this.ttl = ttl;
    }

    static Contender watching(String url, Duration ttl) {
        return new DoyenElection(LeaseStore.open(url), ttl);
    }

    static Contender polling(String url, Duration ttl) {
        return new DoyenElection(new UnwatchedStore(LeaseStore.open(url)), ttl);
    }

    @Override
    public Participant join(String name, String id, Runnable onElected) {
        Election election = Election.lease(name).store(store).ttl(ttl).open();
        return new DoyenParticipant(election.join(id), onElected, election);
    }

    @Override
    public void close() {
        store.close();
    }

    /** A candidate and its election. {@link #close} closes both. */
    static final class DoyenParticipant implements Participant {
        private final LeaseCandidate candidate;
        private final Election election;

        DoyenParticipant(LeaseCandidate candidate, Runnable onElected, Election election) {
            this.candidate = candidate;
            this.election = election;
            candidate.listen(new ElectionListener<LeaseLeadership>() {
                @Override
                public void elected(LeaseLeadership leadership) {
                    onElected.run();
                }
            });
        }

        @Override
        public boolean isLeader() {
            return candidate.isLeader();
        }

        @Override
        public void close() {
            candidate.close();
            election.close();
        }
    }
}
