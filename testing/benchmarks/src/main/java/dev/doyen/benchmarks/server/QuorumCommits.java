package dev.doyen.benchmarks.server;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;

/** Counts the commits in the log of a quorum, as a client of the quorum. */
final class QuorumCommits implements AutoCloseable {

    private static final String PROBE = "probe";

    private final LeaseStore store;
    private long probes;

    QuorumCommits(String url) {
        this(LeaseStore.open(url));
    }

    QuorumCommits(LeaseStore store) {
        this.store = store;
    }

    /**
     * Returns the number of committed entries, without the entries of this client.
     *
     * <p>The method writes a record, because the version of the record contains the index of its log entry. An
     * unconfirmed write also counts as an entry of this client.
     */
    long count() {
        LeaseVersion current = store.read(PROBE).version();
        LeaseRecord record = new LeaseRecord(
                PROBE,
                "bench",
                "bench-1",
                ++probes,
                PROBE,
                Duration.ofSeconds(3),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
        CasOutcome outcome = store.compareAndSet(PROBE, current, record);
        if (outcome instanceof CasOutcome.Written written) {
            String version = written.version().value();
            return Long.parseLong(version.substring(0, version.indexOf('.'))) - probes;
        }
        throw new StoreUnavailableException("the quorum did not confirm a write: " + outcome);
    }

    @Override
    public void close() {
        store.close();
    }
}
