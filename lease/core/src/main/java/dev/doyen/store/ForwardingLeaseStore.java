package dev.doyen.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The base class for a store that forwards calls to another store.
 *
 * <p>This class forwards all calls except reads and writes. Subclasses implement {@link #read} and {@link
 * #compareAndSet}. {@link #readAll} and {@link #compareAndSetAll} call these two methods once for each election. A
 * subclass may also override {@link #readAll} and {@link #compareAndSetAll}.
 */
public abstract class ForwardingLeaseStore implements LeaseStore {

    private final LeaseStore behind;

    /** @param behind the other store; {@link #close} also closes the other store */
    protected ForwardingLeaseStore(LeaseStore behind) {
        this.behind = behind;
    }

    /** Returns the store to which this store forwards. */
    protected final LeaseStore behind() {
        return behind;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return behind.watch(election, changed);
    }

    @Override
    public Optional<NonExpiringLeases> nonExpiringOnly(String election) {
        return behind.nonExpiringOnly(election);
    }

    @Override
    public List<String> missingRights() {
        return behind.missingRights();
    }

    @Override
    public int prune(Instant before, Instant savedBefore) {
        return behind.prune(before, savedBefore);
    }

    @Override
    public Promises promises() {
        return behind.promises();
    }

    @Override
    public void close() {
        behind.close();
    }
}
