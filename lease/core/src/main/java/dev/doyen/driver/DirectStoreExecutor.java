package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.lease.RequestKind;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.function.Consumer;

/** Sends each store request immediately, on a thread for store calls. */
final class DirectStoreExecutor implements StoreExecutor {

    private final Threads threads;
    private final LeaseStore store;

    DirectStoreExecutor(Threads threads, LeaseStore store) {
        this.threads = threads;
        this.store = store;
    }

    @Override
    public void read(String election, Reader reader) {
        boolean accepted = threads.store(() -> {
            VersionedLease found;
            try {
                found = store.read(election);
            } catch (Throwable e) {
                reader.failed(ThrownFaults.of(e));
                return;
            }
            reader.found(found);
        });
        if (!accepted) {
            reader.failed(BUSY);
        }
    }

    @Override
    public void write(RequestKind kind, LeaseVersion expected, LeaseRecord next, Consumer<CasOutcome> answer) {
        boolean accepted = threads.store(() -> {
            CasOutcome outcome;
            try {
                outcome = store.compareAndSet(next.election(), expected, next);
            } catch (Throwable e) {
                outcome = ThrownFaults.of(e).ofWrite();
            }
            answer.accept(outcome);
        });
        if (!accepted) {
            answer.accept(BUSY.ofWrite());
        }
    }
}
