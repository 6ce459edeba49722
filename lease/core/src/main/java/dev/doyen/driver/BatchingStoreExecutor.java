package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.lease.RequestKind;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sends store requests in batches, for a process with very many elections.
 *
 * <p>Requests wait while the store processes earlier requests. At most one batch of reads and one batch of writes are
 * in flight. Each loop waits for at most one request, and stops waiting after the request timeout. A read that has
 * waited for longer than this timeout fails when a later read arrives. The same applies to writes.
 */
final class BatchingStoreExecutor implements StoreExecutor {

    private final LeaseStore store;
    private final BatchQueue<Read> reads;
    private final BatchQueue<Write> writes;

    /**
     * Creates an executor whose queues are empty.
     *
     * @param patience the request timeout of the elections
     */
    BatchingStoreExecutor(Threads threads, LeaseStore store, Duration patience) {
        this.store = store;
        this.reads = new BatchQueue<>(threads, patience, Read::election, this::readTogether, this::readFailed);
        this.writes = new BatchQueue<>(threads, patience, Write::election, this::writeTogether, this::writeFailed);
    }

    @Override
    public void read(String election, Reader reader) {
        reads.add(new Read(election, reader));
    }

    @Override
    public void write(RequestKind kind, LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer) {
        writes.add(new Write(new LeaseStore.Write(expected, next), answer));
    }

    private void readTogether(List<Read> batch) {
        Map<String, VersionedLease> found =
                store.readAll(batch.stream().map(Read::election).toList());
        for (Read read : batch) {
            VersionedLease lease = found.get(read.election);
            // An exception must not leave this method, because the queue would then answer the whole batch again.
            CallbackQueue.guarded(() -> {
                if (lease == null) {
                    read.reader.failed(
                            StoreFault.away("the store did not return the record of \"" + read.election + "\""));
                } else {
                    read.reader.found(lease);
                }
            });
        }
    }

    private void writeTogether(List<Write> batch) {
        List<CasOutcome> outcomes =
                store.compareAndSetAll(batch.stream().map(Write::write).toList());
        for (int i = 0; i < batch.size(); i++) {
            Write write = batch.get(i);
            CasOutcome outcome = i < outcomes.size()
                    ? outcomes.get(i)
                    : new CasOutcome.Unknown(
                            "the store did not return the outcome of the write of \"" + write.election() + "\"");
            CallbackQueue.guarded(() -> write.answer.accept(outcome));
        }
    }

    private void readFailed(Read read, StoreFault fault) {
        read.reader.failed(fault);
    }

    private void writeFailed(Write write, StoreFault fault) {
        write.answer.accept(fault.ofWrite());
    }

    private record Read(String election, Reader reader) {}

    private record Write(LeaseStore.Write write, Consumer<CasOutcome> answer) {
        String election() {
            return write.next().election();
        }
    }
}
