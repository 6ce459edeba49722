package dev.doyen;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.Threads;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.LeaseStore;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** An election by lease: makes loops, and closes what it made. */
final class LeaseElection implements Election {

    private final String name;
    private final LeaseStore store;
    private final boolean ownsStore;
    private final LeaseTiming timing;
    private final Threads threads;
    private final boolean ownsThreads;
    private final LongSupplier seeds;
    private final Set<LeaseObserver> members = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    LeaseElection(
            String name,
            LeaseStore store,
            boolean ownsStore,
            LeaseTiming timing,
            Threads threads,
            boolean ownsThreads,
            LongSupplier seeds) {
        this.name = name;
        this.store = store;
        this.ownsStore = ownsStore;
        this.timing = timing;
        this.threads = threads;
        this.ownsThreads = ownsThreads;
        this.seeds = seeds;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Candidate join(String id) {
        var identity = new Identity(id, UUID.randomUUID().toString());
        return add(new LeaseCandidate(this, identity, timing));
    }

    @Override
    public Observer observe() {
        return add(new LeaseObserver(this, timing));
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        members.forEach(LeaseObserver::leave);
        members.forEach(LeaseObserver::close);
        if (ownsThreads) {
            threads.close();
        }
        if (ownsStore) {
            store.close();
        }
    }

    LeaseLoop loop(LeaseListener listener) {
        return new LeaseLoop(threads, store, name, timing, seeds.getAsLong(), listener);
    }

    Threads threads() {
        return threads;
    }

    void forget(LeaseObserver member) {
        members.remove(member);
    }

    private <T extends LeaseObserver> T add(T member) {
        if (closed.get()) {
            throw new IllegalStateException("election \"" + name + "\" is closed");
        }
        members.add(member);
        member.begin();
        return member;
    }
}
