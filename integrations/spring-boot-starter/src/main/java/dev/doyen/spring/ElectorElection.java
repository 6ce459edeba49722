package dev.doyen.spring;

import dev.doyen.client.Elector;
import dev.doyen.election.Candidate;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** One election, as an elector reports it. */
final class ElectorElection implements JoinableElection {

    private final String name;
    private final Elector elector;
    private final String where;
    private final List<ElectorCandidate> candidates = new CopyOnWriteArrayList<>();

    /** @param where names the settings of the elector, for messages */
    ElectorElection(String name, Elector elector, String where) {
        this.name = name;
        this.elector = elector;
        this.where = where;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns a candidate with the elector's name for this application. Ignores {@code id}.
     *
     * <p>The elector campaigns for this application.
     */
    @Override
    public Candidate<ElectorLeadership> join(String id) {
        try {
            var candidate = new ElectorCandidate(name, elector, candidates::remove);
            candidates.add(candidate);
            return candidate;
        } catch (IllegalStateException e) {
            throw new DoyenRefusedException(where + ": " + e.getMessage(), e);
        }
    }

    /** Returns a candidate, because an elector's answers are the same for candidates and observers. */
    @Override
    public Observer observe() {
        return join("");
    }

    /** Returns how long the elector has been silent, if any candidate waits for it. */
    Optional<Duration> silentFor() {
        return candidates.stream().flatMap(each -> each.silentFor().stream()).max(Duration::compareTo);
    }

    @Override
    public void close() {
        candidates.forEach(ElectorCandidate::close);
    }
}
