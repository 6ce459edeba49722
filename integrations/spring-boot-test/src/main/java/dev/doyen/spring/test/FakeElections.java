package dev.doyen.spring.test;

import dev.doyen.Election;
import dev.doyen.election.Candidate;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Observer;
import dev.doyen.spring.ElectionSettings;
import dev.doyen.spring.ElectionSource;
import dev.doyen.testkit.FakeElection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The fake elections of an application under test. The test controls these elections.
 *
 * <p>Each election is a {@link FakeElection} with the timing of the application's settings. Health checks and
 * priorities in the settings have no effect, because the test chooses the leader.
 *
 * <p>Several applications that share an instance take part in the same elections.
 *
 * <p>Threads: the methods may be called on any thread. Only one thread at a time may control an election.
 */
public final class FakeElections {

    private final Map<String, FakeElection> fakes = new TreeMap<>();
    private final ElectionSource source = new Source();

    /**
     * Returns the election of this name.
     *
     * @throws IllegalArgumentException if no application has opened the election
     */
    public FakeElection named(String name) {
        synchronized (fakes) {
            FakeElection fake = fakes.get(name);
            if (fake == null) {
                throw new IllegalArgumentException("the application has joined no election \"" + name + "\", but in "
                        + fakes.keySet() + "; name it in an annotation or under doyen.elections, or join it first");
            }
            return fake;
        }
    }

    /** Returns the sorted names of all opened elections. */
    public SortedSet<String> names() {
        synchronized (fakes) {
            return new TreeSet<>(fakes.keySet());
        }
    }

    /** Makes the only candidate of this election the leader. See {@link FakeElection#grant()}. */
    public void grant(String name) {
        named(name).grant();
    }

    /** Calls {@link FakeElection#beginAnew} for each election. */
    public void beginAnew() {
        names().forEach(name -> named(name).beginAnew());
    }

    /**
     * Calls {@link FakeElection#storeAvailable} for each election.
     *
     * <p>Call this method before an application closes. A leader whose store is unavailable closes slowly.
     */
    public void storesAvailable() {
        names().forEach(name -> named(name).storeAvailable());
    }

    /**
     * Returns the source from which an application opens these elections.
     *
     * <p>The close method of the source has no effect, because other applications can use the same elections.
     */
    public ElectionSource source() {
        return source;
    }

    private final class Source implements ElectionSource {
        @Override
        public JoinableElection open(String name, ElectionSettings settings) {
            synchronized (fakes) {
                return new Lent(fakes.computeIfAbsent(name, each -> FakeElection.named(each, settings.timing()))
                        .election());
            }
        }

        @Override
        public void close() {}
    }

    /**
     * An election whose close has no effect.
     *
     * <p>Other applications can take part in the same election.
     */
    private record Lent(Election whole) implements JoinableElection {
        @Override
        public String name() {
            return whole.name();
        }

        @Override
        public Candidate<?> join(String id) {
            return whole.join(id);
        }

        @Override
        public Observer observe() {
            return whole.observe();
        }

        @Override
        public void close() {}
    }
}
