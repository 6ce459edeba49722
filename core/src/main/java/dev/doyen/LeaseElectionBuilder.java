package dev.doyen;

import dev.doyen.driver.SystemThreads;
import dev.doyen.driver.Threads;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link Election#lease}; a store is needed, the rest has defaults. */
public final class LeaseElectionBuilder {

    private final String name;
    private @Nullable LeaseStore store;
    private @Nullable String storeUrl;
    private LeaseTiming timing = LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL);
    private Optional<Threads> threads = Optional.empty();
    private LongSupplier seeds = () -> ThreadLocalRandom.current().nextLong();

    LeaseElectionBuilder(String name) {
        this.name = ElectionNames.check("election name", name);
    }

    /** The store by URL, such as {@code file:/var/lib/doyen} or {@code memory:}; closed with the election. */
    public LeaseElectionBuilder store(String url) {
        this.storeUrl = url;
        this.store = null;
        return this;
    }

    /** A store of the caller's, who closes it. */
    public LeaseElectionBuilder store(LeaseStore opened) {
        this.store = opened;
        this.storeUrl = null;
        return this;
    }

    /** How long others wait for a silent leader, with everything else in proportion. Default 10 s. */
    public LeaseElectionBuilder ttl(Duration ttl) {
        return timing(LeaseTiming.ofTtl(ttl));
    }

    /** Every duration of the lease. */
    public LeaseElectionBuilder timing(LeaseTiming all) {
        this.timing = all;
        return this;
    }

    /** Where everything runs: for tests with a clock of their own. Closed by the caller. */
    public LeaseElectionBuilder threads(Threads own, LongSupplier seedSource) {
        this.threads = Optional.of(own);
        this.seeds = seedSource;
        return this;
    }

    /**
     * Opens the election.
     *
     * @throws IllegalArgumentException if no store is named, or its URL cannot be meant
     * @throws dev.doyen.store.StoreUnavailableException if the store cannot be used
     */
    public Election open() {
        Threads running = threads.orElseGet(() -> new SystemThreads("doyen-" + name));
        if (store != null) {
            return new LeaseElection(name, store, false, timing, running, threads.isEmpty(), seeds);
        }
        if (storeUrl == null) {
            throw new IllegalArgumentException("election \"" + name + "\" has no store; "
                    + "name one, such as store(\"file:/var/lib/doyen\") or store(\"memory:\")");
        }
        return new LeaseElection(name, LeaseStores.open(storeUrl), true, timing, running, threads.isEmpty(), seeds);
    }
}
