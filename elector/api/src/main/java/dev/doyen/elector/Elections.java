package dev.doyen.elector;

import dev.doyen.event.Explanation;
import dev.doyen.store.LeaseNotes;
import java.util.List;
import java.util.Optional;

/**
 * Provides snapshots of elections.
 *
 * <p>Threads: the thread that serves requests. An implementation must return at once and read only memory.
 */
public interface Elections {

    /** Returns the election of that name; empty if its state is unknown. */
    Optional<ElectionView> find(String name);

    /** Returns all known elections, in the order of display. */
    List<ElectionView> list();

    /**
     * Returns the reason why the state of that election is unknown; empty if the reason or the election is unknown.
     */
    default Optional<Explanation> whyUnknown(String name) {
        return Optional.empty();
    }

    /**
     * Returns the past terms of that election, latest first. The result is empty if this process stores no past terms.
     */
    default Optional<List<LeaseNotes.PastTerm>> history(String name) {
        return Optional.empty();
    }
}
