package dev.doyen.spring;

import dev.doyen.Election;
import dev.doyen.election.Candidate;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Observer;
import dev.doyen.testkit.FakeElection;

/** A source of one fake election that the test controls. Several contexts can share the election. */
record Fakes(FakeElection fake) implements ElectionSource {

    @Override
    public JoinableElection open(String name, ElectionSettings settings) {
        return new Borrowed(fake.election());
    }

    @Override
    public void close() {}

    /** An election whose close has no effect, because the test closes the real election. */
    private record Borrowed(Election election) implements JoinableElection {
        @Override
        public String name() {
            return election.name();
        }

        @Override
        public Candidate<?> join(String id) {
            return election.join(id);
        }

        @Override
        public Observer observe() {
            return election.observe();
        }

        @Override
        public void close() {}
    }
}
