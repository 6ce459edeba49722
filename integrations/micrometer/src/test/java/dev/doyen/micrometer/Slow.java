package dev.doyen.micrometer;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store whose calls advance the clock of the test.
 *
 * <p>A read takes 300 ms, and a write takes 700 ms.
 */
record Slow(LeaseStore behind, ManualThreads threads) implements LeaseStore {

    @Override
    public VersionedLease read(String election) {
        threads.pass(Duration.ofMillis(300));
        return behind.read(election);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        threads.pass(Duration.ofMillis(700));
        return behind.compareAndSet(election, expected, next);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        threads.pass(Duration.ofMillis(700));
        return behind.compareAndSetAll(writes);
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return behind.watch(election, changed);
    }

    @Override
    public LeaseStore.Promises promises() {
        return behind.promises();
    }

    @Override
    public void close() {
        behind.close();
    }
}
