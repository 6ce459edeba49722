package dev.doyen.store;

import java.util.Optional;

/**
 * A store in front of another, for those that change or watch what is asked of it. What is neither a read nor a write is
 * passed on; reads and writes are for the subclass to decide, also those of many elections, which come to it one by one
 * unless it overrides them too.
 */
public abstract class ForwardingLeaseStore implements LeaseStore {

    private final LeaseStore behind;

    /** @param behind closed with this one */
    protected ForwardingLeaseStore(LeaseStore behind) {
        this.behind = behind;
    }

    /** The store that is asked in the end. */
    protected final LeaseStore behind() {
        return behind;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return behind.watch(election, changed);
    }

    @Override
    public Optional<LeasesForLife> onlyForLife(String election) {
        return behind.onlyForLife(election);
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
