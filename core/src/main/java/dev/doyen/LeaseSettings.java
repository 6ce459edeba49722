package dev.doyen;

import dev.doyen.driver.SystemThreads;
import dev.doyen.driver.Threads;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import dev.doyen.store.StorePromises;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for elections by lease; a store is needed, the rest has defaults.
 *
 * @param <B> the builder itself, so that calls can be chained
 */
public abstract sealed class LeaseSettings<B extends LeaseSettings<B>> permits LeaseElectionBuilder, ElectionsBuilder {

    private @Nullable LeaseStore store;
    private @Nullable String storeUrl;
    private LeaseTiming timing = LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL);
    private Priority priority = Priority.DEFAULT;
    private Optional<HealthCheck> health = Optional.empty();
    private Fencing fencing = Fencing.BEST_EFFORT;
    private Optional<Threads> threads = Optional.empty();
    private LongSupplier seeds = () -> ThreadLocalRandom.current().nextLong();

    LeaseSettings() {}

    /** The store by URL, such as {@code file:/var/lib/doyen} or {@code memory:}; closed with the election. */
    public B store(String url) {
        this.storeUrl = url;
        this.store = null;
        return self();
    }

    /** A store of the caller's, who closes it. */
    public B store(LeaseStore opened) {
        this.store = opened;
        this.storeUrl = null;
        return self();
    }

    /** How long others wait for a silent leader, with everything else in proportion. Default 10 s. */
    public B ttl(Duration ttl) {
        return timing(LeaseTiming.ofTtl(ttl));
    }

    /** Every duration of the lease. */
    public B timing(LeaseTiming all) {
        this.timing = all;
        return self();
    }

    /** How much this process is preferred to others. Default: {@link Priority#DEFAULT}, as much as can be. */
    public B priority(Priority own) {
        this.priority = own;
        return self();
    }

    /** Ties candidacy to health. Default: always well. */
    public B health(HealthCheck check) {
        this.health = Optional.of(check);
        return self();
    }

    /** Whether the store must be one that forgets no term. Default: any store. */
    public B fencing(Fencing need) {
        this.fencing = need;
        return self();
    }

    /** Where everything runs: for tests with a clock of their own. Closed by the caller. */
    public B threads(Threads own, LongSupplier seedSource) {
        this.threads = Optional.of(own);
        this.seeds = seedSource;
        return self();
    }

    abstract B self();

    /** Opens store and threads, as far as they are not the caller's. */
    final Opened open(String what) {
        LeaseStore opened = store;
        Runnable closeStore = () -> {};
        if (opened == null) {
            if (storeUrl == null) {
                throw new IllegalArgumentException(what + " has no store; "
                        + "name one, such as store(\"file:/var/lib/doyen\") or store(\"memory:\")");
            }
            opened = LeaseStores.open(storeUrl);
            closeStore = opened::close;
        }
        try {
            checkFencing(what, opened.promises());
        } catch (IllegalArgumentException e) {
            closeStore.run();
            throw e;
        }
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen"));
        Runnable closeThreads = threads.isPresent() ? () -> {} : running::close;
        return new Opened(
                opened,
                running,
                timing,
                seeds,
                new LeaseElection.Candidature(priority, health),
                closeThreads,
                closeStore);
    }

    private void checkFencing(String what, StorePromises promises) {
        if (fencing == Fencing.REQUIRED && !promises.durableTerms()) {
            String why = promises.remarks().isEmpty() ? "" : ": " + String.join(" ", promises.remarks());
            throw new IllegalArgumentException(what + " requires fencing, but its store (" + promises.scope()
                    + ") may forget a term it has confirmed" + why
                    + "; use a durable store, or fencing(Fencing.BEST_EFFORT) if two leaders may write for a while");
        }
    }

    /** What was opened, and how to close what is not the caller's. */
    record Opened(
            LeaseStore store,
            Threads threads,
            LeaseTiming timing,
            LongSupplier seeds,
            LeaseElection.Candidature candidature,
            Runnable closeThreads,
            Runnable closeStore) {

        void close() {
            closeThreads.run();
            closeStore.run();
        }
    }
}
