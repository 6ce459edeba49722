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
 * The elections of an application under test, which the test directs.
 *
 * <p>Each is a {@link FakeElection} with the timing of the application's settings. Health checks and priorities in the
 * settings have no effect, because the test decides who leads.
 *
 * <p>Several applications that share an instance take part in the same elections.
 *
 * <p>Threads: any for this class. One thread at a time may direct an election.
 */
public final class FakeElections {

    private final Map<String, FakeElection> fakes = new TreeMap<>();
    private final ElectionSource source = new Source();

    /**
     * Returns the election of this name.
     *
     * @throws IllegalArgumentException if no application has opened it
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

    /** Returns the names of all opened elections, in order. */
    public SortedSet<String> names() {
        synchronized (fakes) {
            return new TreeSet<>(fakes.keySet());
        }
    }

    /** Lets the application lead, if it is the only one. See {@link FakeElection#grant()}. */
    public void grant(String name) {
        named(name).grant();
    }

    /** Calls {@link FakeElection#beginAnew} for each election. */
    public void beginAnew() {
        names().forEach(name -> named(name).beginAnew());
    }

    /**
     * Calls {@link FakeElection#storeBack} for each election.
     *
     * <p>An application that leads while its store is away closes slowly.
     */
    public void storesBack() {
        names().forEach(name -> named(name).storeBack());
    }

    /**
     * Returns the source from which an application opens these elections.
     *
     * <p>Its close closes nothing, because other applications may take part in them.
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

    /** Does not close the election, because other applications may take part in it. */
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
