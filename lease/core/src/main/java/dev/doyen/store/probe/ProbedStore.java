package dev.doyen.store.probe;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;

/** Measures the durations of the calls to a store while one thread probes it. */
final class ProbedStore {

    private final LeaseStore store;
    private final List<Long> reads = new ArrayList<>();
    private final List<Long> writes = new ArrayList<>();
    private String lastTrouble = "none";
    private int unanswered;

    ProbedStore(LeaseStore store) {
        this.store = store;
    }

    VersionedLease read(String election) {
        long start = System.nanoTime();
        VersionedLease found = store.read(election);
        reads.add(System.nanoTime() - start);
        return found;
    }

    CasOutcome compareAndSet(LeaseVersion expected, LeaseRecord next) {
        long start = System.nanoTime();
        CasOutcome outcome = store.compareAndSet(next.election(), expected, next);
        writes.add(System.nanoTime() - start);
        return outcome;
    }

    /** Records why a test has no result. Always returns false. */
    boolean troubled(String why) {
        lastTrouble = why;
        return false;
    }

    /**
     * Records a write of unknown outcome. Always returns false.
     *
     * @throws StoreRefusedException if the store rejects such writes because a right is missing
     */
    boolean unanswered(CasOutcome.Unknown outcome) {
        if (outcome.refused()) {
            throw StoreProbe.refused(outcome);
        }
        unanswered++;
        return troubled(outcome.reason());
    }

    /** Returns the number of writes of unknown outcome. */
    int unanswered() {
        return unanswered;
    }

    String lastTrouble() {
        return lastTrouble;
    }

    StoreReport.Latency reads() {
        return StoreReport.Latency.of(reads);
    }

    StoreReport.Latency writes() {
        return StoreReport.Latency.of(writes);
    }
}
