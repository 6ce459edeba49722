package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import io.microraft.impl.statemachine.InternalCommitAware;
import io.microraft.statemachine.StateMachine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * This member's copy of the records, which is the state machine of the log.
 *
 * <p>If the copy fails to apply an entry or a snapshot, the member stops, because the copy is possibly incomplete. From
 * then on, the copy applies nothing and takes no snapshot. A restart restores the copy from the journal.
 *
 * <p>Threads: the Raft thread applies entries. Any thread may read and watch.
 */
final class LeaseCopy implements StateMachine, InternalCommitAware {

    /**
     * The bytes of an entry without writes. After this entry is applied, all entries that were confirmed before it are
     * applied too.
     */
    static final byte[] NO_WRITES = LeaseBytes.ofWrites(List.of());

    private final LeaseTable table = new LeaseTable();
    private final AppliedIndex applied = new AppliedIndex();
    private final LeaseWatches watches;
    private final LongConsumer onApplied;
    private final Consumer<Throwable> onFailure;

    /** True after an entry or a snapshot could not be applied. Only the Raft thread uses this field. */
    private boolean isBroken;

    /**
     * Creates an empty copy.
     *
     * @param announcer the executor that calls the watchers and runs only one task at a time
     * @param onApplied a function that the Raft thread calls with the index of each entry, after the copy has applied it
     * @param onFailure the function that stops the member after the copy has failed
     */
    LeaseCopy(Executor announcer, LongConsumer onApplied, Consumer<Throwable> onFailure) {
        this.watches = new LeaseWatches(announcer);
        this.onApplied = onApplied;
        this.onFailure = onFailure;
    }

    VersionedLease read(String election) {
        return table.read(election);
    }

    /** Returns the total size of all records, in bytes. */
    long bytes() {
        return table.bytes();
    }

    /**
     * Returns the reason why these writes must not be appended to the log. The result is empty if they may be appended.
     */
    Optional<String> objection(List<LeaseStore.Write> writes) {
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

    /** Returns true if this record has a watcher. */
    boolean isWatched(String election) {
        return watches.isWatched(election);
    }

    /** Returns the index of the last applied entry. */
    long appliedIndex() {
        return applied.last();
    }

    /** Returns a future that completes when the entry at this index is applied. */
    CompletableFuture<Void> reached(long index) {
        return applied.reached(index);
    }

    @Override
    public Object runOperation(long index, Object operation) {
        List<CasOutcome> outcomes =
                apply(index, () -> table.apply(index, LeaseBytes.writes((byte[]) operation), watches::changed));
        onApplied.accept(index);
        return outcomes;
    }

    /** Marks the change of members at this index as applied. */
    @Override
    public void onInternalCommit(long index) {
        applied.advance(index);
        if (!isBroken) {
            onApplied.accept(index);
        }
    }

    @Override
    public void takeSnapshot(long index, Consumer<Object> parts) {
        checkIntact();
        table.snapshot().forEach(parts);
    }

    @Override
    public void installSnapshot(long index, List<Object> parts) {
        apply(index, () -> {
            table.install(parts.stream().map(byte[].class::cast).toList(), watches::changed);
            return index;
        });
    }

    /** Changes the records, and marks the index as applied. If the change fails, the copy is broken. */
    private <T> T apply(long index, Supplier<T> change) {
        checkIntact();
        try {
            T result = change.get();
            applied.advance(index);
            return result;
        } catch (Throwable e) {
            isBroken = true;
            onFailure.accept(e);
            throw e;
        }
    }

    private void checkIntact() {
        if (isBroken) {
            throw new IllegalStateException("an earlier entry of the log could not be applied");
        }
    }

    @Override
    public Object getNewTermOperation() {
        return NO_WRITES;
    }
}
