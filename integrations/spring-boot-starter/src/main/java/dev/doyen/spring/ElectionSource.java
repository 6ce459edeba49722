package dev.doyen.spring;

import dev.doyen.election.JoinableElection;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the elections of this application.
 *
 * <p>The default opens elections by lease, in the store that {@code doyen.store} names. A bean of this type replaces
 * it, for elections on a ring or for fakes in a test.
 *
 * <p>Threads: one at a time.
 */
public interface ElectionSource extends AutoCloseable {

    /**
     * Opens the election of this name. Called once for each name.
     *
     * <p>The caller closes the election before it closes this source.
     *
     * @param settings of {@code doyen.elections.NAME}, or the defaults
     */
    JoinableElection open(String name, ElectionSettings settings);

    /**
     * Returns how long the store or the elector of these elections has not answered.
     *
     * <p>Empty if it answers, was not called yet, or its state is unknown. A long silence makes the health DOWN.
     * Threads: any.
     */
    default Optional<Duration> silentFor() {
        return Optional.empty();
    }

    @Override
    void close();
}
