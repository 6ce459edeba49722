package dev.doyen.spring;

import dev.doyen.Election;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the elections of this application come from. By default by lease, in the store that {@code doyen.store} names. A bean of
 * this type takes that one's place: for elections on a ring, or fakes in a test.
 *
 * <p>Threads: one at a time.
 */
public interface ElectionSource extends AutoCloseable {

    /**
     * Opens the election of this name, which the caller closes before this. Asked once for each.
     *
     * @param settings of {@code doyen.elections.NAME}, or the defaults
     */
    Election open(String name, ElectionSettings settings);

    /**
     * For how long what these elections are decided by (a store, an elector) has given no answer; empty if it answers, was not
     * asked yet, or nobody knows. The health is DOWN if that is too long. Threads: any.
     */
    default Optional<Duration> silentFor() {
        return Optional.empty();
    }

    @Override
    void close();
}
