package dev.doyen.spring;

import dev.doyen.client.Elector;
import dev.doyen.election.Candidate;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** An election that an elector decides and reports. */
final class ElectorElection implements JoinableElection {

    private final String name;
    private final Elector elector;
    private final String where;
    private final List<ElectorCandidate> candidates = new CopyOnWriteArrayList<>();

    /** @param where the name of the elector's settings, for error messages */
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
     * Returns a candidate whose id is the elector's name for this application. The argument {@code id} is ignored.
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

    /**
     * Returns the longest time for which a candidate has had no fresh answer.
     *
     * <p>The result is empty if the elector's last answer to each candidate is fresh.
     */
    Optional<Duration> silentFor() {
        return candidates.stream().flatMap(each -> each.silentFor().stream()).max(Duration::compareTo);
    }

    @Override
    public void close() {
        candidates.forEach(ElectorCandidate::close);
    }
}
