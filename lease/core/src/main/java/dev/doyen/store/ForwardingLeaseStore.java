package dev.doyen.store;

import java.util.Optional;

/**
 * Base class for a store in front of another store.
 *
 * <p>All calls except reads and writes go to the other store. Subclasses implement {@link #read} and
 * {@link #compareAndSet}. Reads and writes of many elections call these one by one, unless a subclass overrides them
 * too.
 */
public abstract class ForwardingLeaseStore implements LeaseStore {

    private final LeaseStore behind;

    /** @param behind the other store; closed with this one */
    protected ForwardingLeaseStore(LeaseStore behind) {
        this.behind = behind;
    }

    /** Returns the store behind this one. */
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
    public StorePromises promises() {
        return behind.promises();
    }

    @Override
    public void close() {
        behind.close();
    }
}
