package dev.doyen.spring.test;

import dev.doyen.Candidate;
import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.Observer;
import dev.doyen.spring.ElectionSettings;
import dev.doyen.spring.ElectionSource;
import dev.doyen.testkit.FakeElection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The elections of an application under test, each a {@link FakeElection} with the timing that the application's settings
 * give it. Health checks and priorities of the settings have no effect: who leads, the test says.
 *
 * <p>Several applications that share these take part in the same elections.
 *
 * <p>Threads: any for what is here; each election is directed by one thread at a time.
 */
public final class FakeElections {

    private final Map<String, FakeElection> fakes = new TreeMap<>();
    private final ElectionSource source = new Source();

    /**
     * The election of this name.
     *
     * @throws IllegalArgumentException if no application has opened it: none stands in it
     */
    public FakeElection named(String name) {
        synchronized (fakes) {
            FakeElection fake = fakes.get(name);
            if (fake == null) {
                throw new IllegalArgumentException("the application stands in no election \"" + name + "\", but in "
                        + fakes.keySet() + "; name it in an annotation or under doyen.elections, or join it first");
            }
            return fake;
        }
    }

    /** The names of all elections that an application stood in, in order. */
    public SortedSet<String> names() {
        synchronized (fakes) {
            return new TreeSet<>(fakes.keySet());
        }
    }

    /** Lets the application lead, if it is the only one: as {@link FakeElection#grant()} of that election. */
    public void grant(String name) {
        named(name).grant();
    }

    /** {@link FakeElection#beginAnew} of each. */
    public void beginAnew() {
        names().forEach(name -> named(name).beginAnew());
    }

    /** {@link FakeElection#storeBack} of each: an application that leads while its store is away is slow to close. */
    public void storesBack() {
        names().forEach(name -> named(name).storeBack());
    }

    /** Where an application gets these elections from. Closing it closes nothing: others may stand in them. */
    public ElectionSource source() {
        return source;
    }

    private final class Source implements ElectionSource {
        @Override
        public Election open(String name, ElectionSettings settings) {
            synchronized (fakes) {
                return new Lent(fakes.computeIfAbsent(name, each -> FakeElection.named(each, settings.timing()))
                        .election());
            }
        }

        @Override
        public void close() {}
    }

    /** Others stand in it as well, so nobody closes it. */
    private record Lent(Election whole) implements Election {
        @Override
        public String name() {
            return whole.name();
        }

        @Override
        public Candidate join(String id) {
            return whole.join(id);
        }

        @Override
        public Observer observe() {
            return whole.observe();
        }

        @Override
        public Control control(String by) {
            return whole.control(by);
        }

        @Override
        public void close() {}
    }
}
