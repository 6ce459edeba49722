package dev.doyen.spring;

import dev.doyen.Election;
import dev.doyen.testkit.FakeElection;

/** An election that a test directs. Several contexts can share it. */
record Fakes(FakeElection fake) implements ElectionSource {

    @Override
    public Election open(String name, ElectionSettings settings) {
        return new Borrowed(fake.election());
    }

    @Override
    public void close() {}

    /** Does not close the election, because the test does. */
    private record Borrowed(Election election) implements Election {
        @Override
        public String name() {
            return election.name();
        }

        @Override
        public dev.doyen.election.Candidate join(String id) {
            return election.join(id);
        }

        @Override
        public dev.doyen.election.Observer observe() {
            return election.observe();
        }

        @Override
        public dev.doyen.Control control(String by) {
            return election.control(by);
        }

        @Override
        public void close() {}
    }
}
