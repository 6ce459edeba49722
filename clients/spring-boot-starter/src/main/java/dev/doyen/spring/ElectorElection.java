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

/** One election, as the elector tells of it. */
final class ElectorElection implements Election {

    private final String name;
    private final Elector elector;
    private final String where;
    private final List<ElectorCandidate> candidates = new CopyOnWriteArrayList<>();

    /** @param where which settings name the elector */
    ElectorElection(String name, Elector elector, String where) {
        this.name = name;
        this.elector = elector;
        this.where = where;
    }

    @Override
    public String name() {
        return name;
    }

    /** The elector stands for this application: it is known by the elector's name for it, whatever {@code id} is. */
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

    /** The same, for whoever leads and whoever looks on hear the same of an elector. */
    @Override
    public Observer observe() {
        return join("");
    }

    @Override
    public Control control(String by) {
        throw new UnsupportedOperationException("election \"" + name
                + "\" is the elector's; send it the order: POST /v1/elections/" + name + "/resign");
    }

    /** For how long the elector was not heard, if any candidate waits for it. */
    Optional<Duration> silentFor() {
        return candidates.stream().flatMap(each -> each.silentFor().stream()).max(Duration::compareTo);
    }

    @Override
    public void close() {
        candidates.forEach(ElectorCandidate::close);
    }
}
