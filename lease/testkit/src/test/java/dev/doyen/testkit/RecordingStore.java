package dev.doyen.testkit;

import dev.doyen.election.Threads;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Records the reads and the batch writes of one process. Forwards all calls to the real store. */
final class RecordingStore extends ForwardingLeaseStore {

    /** The election of each call of {@code read}, in order. */
    final List<String> reads = new ArrayList<>();

    /**
     * The elections of each call of {@code readAll}, in order; {@code batchReadsAt} contains the times of these calls.
     */
    final List<List<String>> batchReads = new ArrayList<>();

    final List<Duration> batchReadsAt = new ArrayList<>();

    /** The writes of each call of {@code compareAndSetAll}, in order. */
    final List<List<LeaseStore.Write>> batches = new ArrayList<>();

    Runnable afterBatchRead = () -> {};
    Runnable beforeBatch = () -> {};

    private final Threads threads;
    private final long startNanos;

    RecordingStore(LeaseStore behind, Threads threads) {
        super(behind);
        this.threads = threads;
        this.startNanos = threads.now().nanos();
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        batchReads.add(List.copyOf(elections));
        batchReadsAt.add(Duration.ofNanos(threads.now().nanos() - startNanos));
        try {
            return behind().readAll(elections);
        } finally {
            afterBatchRead.run();
        }
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        batches.add(List.copyOf(writes));
        beforeBatch.run();
        return behind().compareAndSetAll(writes);
    }

    @Override
    public VersionedLease read(String election) {
        reads.add(election);
        return behind().read(election);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return behind().compareAndSet(election, expected, next);
    }
}
