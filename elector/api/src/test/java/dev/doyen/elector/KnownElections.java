package dev.doyen.elector;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fake of {@code Elections} that returns the elections that the test has set. */
final class KnownElections implements Elections {

    static final Instant CHANGED = Instant.parse("2026-11-21T08:00:00.250Z");
    static final Instant CONFIRMED = Instant.parse("2026-11-21T08:00:09.999Z");

    private final Map<String, ElectionView> views = new LinkedHashMap<>();
    private final Map<String, List<LeaseNotes.PastTerm>> past = new LinkedHashMap<>();

    private final Map<String, Explanation> unknown = new LinkedHashMap<>();

    static ElectionView led(String election, String leader, long term) {
        return new ElectionView(election, Optional.of(new Leader(leader, term)), term, CHANGED, CONFIRMED);
    }

    static ElectionView unled(String election, long lastTerm) {
        return new ElectionView(election, Optional.empty(), lastTerm, CHANGED, CONFIRMED);
    }

    /** Returns an election without a leader. Its explanation has this reason, and its last term is 8. */
    static ElectionView unled(String election, Reason reason) {
        return new ElectionView(
                election,
                Optional.empty(),
                8,
                CHANGED,
                CONFIRMED,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Explanation(reason, "nobody is known to lead")));
    }

    KnownElections set(ElectionView view) {
        views.put(view.name(), view);
        return this;
    }

    KnownElections remember(String election, LeaseNotes.PastTerm... terms) {
        past.put(election, List.of(terms));
        return this;
    }

    KnownElections unknownBecause(String election, Explanation why) {
        unknown.put(election, why);
        return this;
    }

    @Override
    public Optional<Explanation> whyUnknown(String name) {
        return Optional.ofNullable(unknown.get(name));
    }

    @Override
    public Optional<List<LeaseNotes.PastTerm>> history(String name) {
        return Optional.ofNullable(past.get(name));
    }

    @Override
    public Optional<ElectionView> find(String name) {
        return Optional.ofNullable(views.get(name));
    }

    @Override
    public List<ElectionView> list() {
        return List.copyOf(views.values());
    }
}
