package dev.doyen.spring;

import dev.doyen.election.JoinableElection;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the elections of this application.
 *
 * <p>The default source uses the store, the elector or the ring that the settings under {@code doyen.} name. A bean of
 * this type replaces the default source, for example with fake elections in a test.
 *
 * <p>Threads: any thread may call the methods, also at the same time as another thread.
 */
public interface ElectionSource extends AutoCloseable {

    /**
     * Opens the election of this name. The method is called until it returns an election, and then not again.
     *
     * <p>The caller closes the election before it closes this source.
     *
     * @param settings the settings under {@code doyen.elections.NAME}, or the default settings
     * @throws dev.doyen.store.StoreUnavailableException if the store cannot be opened now. Unless {@code
     *     doyen.fail-fast} is true, the application starts, and calls the method again every few seconds
     */
    JoinableElection open(String name, ElectionSettings settings);

    /**
     * Returns how long the store or the elector of these elections has been unavailable.
     *
     * <p>The result is empty if the last call was answered, if no call was made, or if the state is unknown. After a
     * long silence, the health is DOWN.
     */
    default Optional<Duration> silentFor() {
        return Optional.empty();
    }

    @Override
    void close();
}
