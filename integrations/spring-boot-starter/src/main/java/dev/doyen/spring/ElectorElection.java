package dev.doyen.spring;

import dev.doyen.Candidate;
import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.Observer;
import dev.doyen.client.Elector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** One election, as an elector reports it. */
final class ElectorElection implements Election {

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
    public Candidate join(String id) {
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

    @Override
    public Control control(String by) {
        throw new UnsupportedOperationException("election \"" + name
                + "\" is the elector's; send it the order: POST /v1/elections/" + name + "/resign");
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
