package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import io.microraft.impl.statemachine.InternalCommitAware;
import io.microraft.statemachine.StateMachine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * This member's copy of the records: the state machine of the log.
 *
 * <p>Threads: entries are applied on the Raft thread. Any thread may read and watch.
 */
final class LeaseCopy implements StateMachine, InternalCommitAware {

    /** Stands behind all entries that were confirmed before it. */
    static final byte[] NO_WRITES = LeaseBytes.ofWrites(List.of());

    private final LeaseTable table = new LeaseTable();
    private final AppliedIndex applied = new AppliedIndex();
    private final LeaseWatches watches;
    private final Runnable onApplied;

    /**
     * @param announcer runs one task after the other; watchers are called on it
     * @param onApplied called on the Raft thread after each entry with writes
     */
    LeaseCopy(Executor announcer, Runnable onApplied) {
        this.watches = new LeaseWatches(announcer);
        this.onApplied = onApplied;
    }

    VersionedLease read(String election) {
        return table.read(election);
    }

    /** The bytes of all records together. */
    long bytes() {
        return table.bytes();
    }

    /** Why these writes must not get into the log; empty if they may. */
    Optional<String> objection(List<LeaseWrite> writes) {
        long growth = table.growth(writes);
        return growth == 0 || table.bytes() + growth <= LeaseTable.MAX_BYTES
                ? Optional.empty()
                : Optional.of("the records of the quorum have " + table.bytes() + " bytes, and this write would add "
                        + growth + "; the limit is " + LeaseTable.MAX_BYTES
                        + ". Save less state, or keep some elections in another quorum");
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        return watches.watch(election, changed);
    }

    /** Whether a watcher of this record has not ended. */
    boolean isWatched(String election) {
        return watches.isWatched(election);
    }

    /** The index of the last entry that is applied. */
    long appliedIndex() {
        return applied.last();
    }

    /** Completes when the entry at this index is applied. */
    CompletableFuture<Void> reached(long index) {
        return applied.reached(index);
    }

    @Override
    public Object runOperation(long index, Object operation) {
        List<CasOutcome> outcomes = table.apply(index, LeaseBytes.writes((byte[]) operation), watches::changed);
        applied.advance(index);
        onApplied.run();
        return outcomes;
    }

    /** A change of members. */
    @Override
    public void onInternalCommit(long index) {
        applied.advance(index);
    }

    @Override
    public void takeSnapshot(long index, Consumer<Object> parts) {
        table.snapshot().forEach(parts);
    }

    @Override
    public void installSnapshot(long index, List<Object> parts) {
        table.install(parts.stream().map(byte[].class::cast).toList(), watches::changed);
        applied.advance(index);
    }

    @Override
    public Object getNewTermOperation() {
        return NO_WRITES;
    }
}
