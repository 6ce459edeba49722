package dev.doyen.elector;

import dev.doyen.store.PastTerm;
import java.util.List;
import java.util.Optional;

/**
 * Provides snapshots of elections.
 *
 * <p>Threads: called on the thread that serves requests; must answer at once, from memory.
 */
public interface Elections {

    /** The election of that name; empty if nothing is known about it, not even that it has no leader. */
    Optional<ElectionView> find(String name);

    /** All known elections, in the order of display. */
    List<ElectionView> list();

    /** The past terms of that election, latest first; empty if this process keeps none. */
    default Optional<List<PastTerm>> history(String name) {
        return Optional.empty();
    }
}
