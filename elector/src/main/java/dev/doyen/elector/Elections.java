package dev.doyen.elector;

import dev.doyen.store.PastTerm;
import java.util.List;
import java.util.Optional;

/**
 * What is known about elections, at the moment of asking.
 *
 * <p>Threads: called from the thread that serves requests; must answer from memory, at once.
 */
public interface Elections {

    /** The election of that name; empty if nothing is known about it, not even that nobody leads. */
    Optional<ElectionView> find(String name);

    /** All known elections, in the order they are to be shown. */
    List<ElectionView> list();

    /** The terms of that election that are over, the latest first; empty if none are kept here. */
    default Optional<List<PastTerm>> history(String name) {
        return Optional.empty();
    }
}
