package dev.doyen.store;

import java.util.ArrayList;
import java.util.List;

/** A store whose calls are timed, by one thread, while it is probed. */
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

    /** Notes why nothing can be concluded. Always false, for the caller to return. */
    boolean troubled(String why) {
        lastTrouble = why;
        return false;
    }

    /** Notes a write whose answer says nothing. Always false, for the caller to return. */
    boolean unanswered(CasOutcome.Unknown outcome) {
        unanswered++;
        return troubled(outcome.reason());
    }

    /** How many writes had an answer that says nothing. */
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
