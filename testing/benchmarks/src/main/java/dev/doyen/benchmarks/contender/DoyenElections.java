package dev.doyen.benchmarks.contender;

import dev.doyen.Election;
import dev.doyen.Elections;
import java.time.Duration;

/** Doyen with one session for all elections of the process (rule L12). */
final class DoyenElections implements Contender {

    private final Elections elections;

    DoyenElections(String url, Duration ttl) {
        this.elections = Elections.lease().store(url).ttl(ttl).open();
    }

    @Override
    public Participant join(String name, String id, Runnable onElected) {
        Election election = elections.named(name);
        return new DoyenElection.DoyenParticipant(election.join(id), onElected, election);
    }

    @Override
    public void close() {
        elections.close();
    }
}
