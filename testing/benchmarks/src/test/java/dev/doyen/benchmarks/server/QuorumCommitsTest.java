package dev.doyen.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import org.junit.jupiter.api.Test;

class QuorumCommitsTest {

    private boolean failing;

    private final LeaseStore store = new LeaseStore() {
        @Override
        public VersionedLease read(String election) {
            if (failing) {
                throw new StoreUnavailableException("on purpose");
            }
            return VersionedLease.ABSENT;
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return new CasOutcome.Written(new LeaseVersion("8.0"));
        }

        @Override
        public LeaseStore.Promises promises() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    };

    @Test
    void a_failed_read_does_not_count_as_an_entry() {
        try (var commits = new QuorumCommits(store)) {
            failing = true;
            assertThatThrownBy(commits::count).hasMessage("on purpose");
            failing = false;

            assertThat(commits.count()).isEqualTo(7);
        }
    }
}
