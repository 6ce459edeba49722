package dev.doyen.store.probe;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tests the rules of a store, one after another, on one record.
 *
 * <p>The test of a rule has no result if another process wrote the record, or if an answer did not arrive. In this case
 * the caller tests all rules again on a different record.
 */
final class ProbeRules {

    /**
     * The name of a record that only a faulty store creates. The record remains in such a store, so later probes find
     * the fault too.
     */
    private static final String NEVER_WRITTEN = "~probe-never";

    private final ProbedStore store;
    private final Set<ProbeFault> faults;
    private final Set<String> refused = new HashSet<>();

    ProbeRules(ProbedStore store, Set<ProbeFault> faults) {
        this.store = store;
        this.faults = faults;
    }

    /** Tests the rules on the record of this election. Returns false if the caller must test them again. */
    boolean judge(String election) {
        VersionedLease before = store.read(election);
        LeaseRecord record = record(election, before);
        Optional<LeaseVersion> first = write(before.version(), record);
        if (first.isEmpty()) {
            return !faults.isEmpty();
        }
        return readsBack(before, first.get(), record)
                && refusesASecondCreate(record, first.get())
                && distinguishesEqualRecords(record, first.get())
                && refusesToWriteOverNothing(first.get());
    }

    /** Returns a record that nobody holds. Each call returns a record with a new nonce. */
    static LeaseRecord record(String election, VersionedLease before) {
        return new LeaseRecord(
                election,
                "",
                "",
                before.highestTerm() + 1,
                "probe-" + UUID.randomUUID(),
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.ofText("left by a probe of this store; nobody holds it"),
                0);
    }

    private Optional<LeaseVersion> write(LeaseVersion present, LeaseRecord next) {
        CasOutcome outcome = store.compareAndSet(present, next);
        if (outcome instanceof CasOutcome.Written written) {
            return Optional.of(written.version());
        }
        if (outcome instanceof CasOutcome.Unknown unknown) {
            store.unanswered(unknown);
        } else if (outcome instanceof CasOutcome.Conflict conflict) {
            VersionedLease shown = conflict.current();
            if (shown.version().equals(present)) {
                faults.add(ProbeFault.REFUSES_THE_PRESENT);
            } else if (has(shown, next.nonce())) {
                faults.add(ProbeFault.REFUSES_BUT_WRITES);
            } else {
                store.troubled("others write " + next.election());
            }
        }
        return Optional.empty();
    }

    private boolean readsBack(VersionedLease before, LeaseVersion written, LeaseRecord record) {
        VersionedLease found = store.read(record.election());
        if (found.equals(VersionedLease.of(written, record))) {
            return true;
        }
        if (found.version().isAbsent() || found.version().equals(before.version())) {
            faults.add(ProbeFault.FORGETS_A_WRITE);
            return true;
        }
        if (found.version().equals(written) || has(found, record.nonce())) {
            faults.add(ProbeFault.READS_BACK_OTHERWISE);
            return true;
        }
        return store.troubled("others write " + record.election());
    }

    private boolean refusesASecondCreate(LeaseRecord record, LeaseVersion present) {
        LeaseRecord second = again(record);
        return refuses(LeaseVersion.ABSENT, second, present, ProbeFault.CREATES_TWICE);
    }

    private boolean distinguishesEqualRecords(LeaseRecord record, LeaseVersion first) {
        LeaseVersion present = faults.contains(ProbeFault.CREATES_TWICE)
                ? store.read(record.election()).version()
                : first;
        Optional<LeaseVersion> second = write(present, record);
        if (second.isEmpty()) {
            return !faults.isEmpty();
        }
        if (second.get().equals(first)) {
            faults.add(ProbeFault.SAME_VERSION_AGAIN);
        }
        // Write a third time, so that "first" is stale even if the store gave the first two writes the same version.
        LeaseRecord changed = again(record);
        Optional<LeaseVersion> third = write(second.get(), changed);
        return third.isPresent()
                ? refuses(first, again(record), third.get(), ProbeFault.WRITES_OVER_STALE)
                : !faults.isEmpty();
    }

    private boolean refusesToWriteOverNothing(LeaseVersion elsewhere) {
        VersionedLease nothing = store.read(NEVER_WRITTEN);
        if (!nothing.version().isAbsent()) {
            faults.add(ProbeFault.WRITES_OVER_NOTHING);
            return true;
        }
        return refuses(elsewhere, record(NEVER_WRITTEN, nothing), LeaseVersion.ABSENT, ProbeFault.WRITES_OVER_NOTHING);
    }

    /**
     * Writes over a version that differs from {@code present}, the stored version. The store must reject the write.
     */
    private boolean refuses(LeaseVersion expected, LeaseRecord next, LeaseVersion present, ProbeFault ifWritten) {
        CasOutcome outcome = store.compareAndSet(expected, next);
        if (outcome instanceof CasOutcome.Unknown unknown) {
            return store.unanswered(unknown);
        }
        if (outcome instanceof CasOutcome.Written) {
            faults.add(ifWritten);
            return true;
        }
        refused.add(next.nonce());
        VersionedLease after = store.read(next.election());
        VersionedLease shown = ((CasOutcome.Conflict) outcome).current();
        if (after.record().map(LeaseRecord::nonce).filter(refused::contains).isPresent()) {
            faults.add(ProbeFault.REFUSES_BUT_WRITES);
            return true;
        }
        if (!shown.version().equals(present) && after.version().equals(present)) {
            faults.add(ProbeFault.SHOWS_NO_RIVAL);
            return true;
        }
        return after.version().equals(present) || store.troubled("others write " + next.election());
    }

    private static LeaseRecord again(LeaseRecord record) {
        return record.noting(record.notes(), "probe-" + UUID.randomUUID());
    }

    private static boolean has(VersionedLease lease, String nonce) {
        return lease.record().map(LeaseRecord::nonce).filter(nonce::equals).isPresent();
    }
}
