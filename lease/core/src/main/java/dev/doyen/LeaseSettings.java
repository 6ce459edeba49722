package dev.doyen;

import dev.doyen.driver.ShutdownHook;
import dev.doyen.driver.SystemThreads;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.store.LeaseStore;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of elections by lease. The store is required. All other settings have a default.
 *
 * @param <B> the type of the builder itself, so that calls can be chained
 */
public abstract sealed class LeaseSettings<B extends LeaseSettings<B>> permits LeaseElectionBuilder, ElectionsBuilder {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private @Nullable LeaseStore store;
    private @Nullable String storeUrl;
    private LeaseTiming timing = LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL);
    private Priority priority = Priority.DEFAULT;
    private Optional<HealthCheck> health = Optional.empty();
    private Fencing fencing = Fencing.BEST_EFFORT;
    private Optional<Threads> threads = Optional.empty();
    private LongSupplier seeds = () -> ThreadLocalRandom.current().nextLong();
    private boolean closeOnShutdown = true;

    LeaseSettings() {}

    /**
     * Sets the store by URL, such as {@code file:/var/lib/doyen} or {@code memory:}. Closing the {@link Election} or
     * the {@link Elections} that {@code open} returns also closes the store.
     */
    public B store(String url) {
        this.storeUrl = url;
        this.store = null;
        return self();
    }

    /** Sets a store that the caller has opened. The caller closes it. */
    public B store(LeaseStore opened) {
        this.store = opened;
        this.storeUrl = null;
        return self();
    }

    /**
     * Sets the ttl. Other candidates wait for this time after the last renewal of a leader before they take over. All
     * other durations are proportional to the ttl. The default is 10 s.
     */
    public B ttl(Duration ttl) {
        return timing(LeaseTiming.ofTtl(ttl));
    }

    /** Sets every duration of the lease. */
    public B timing(LeaseTiming all) {
        this.timing = all;
        return self();
    }

    /**
     * Sets the priority and the generation of this process's candidates. Default: {@link Priority#DEFAULT}, which is
     * the highest priority and generation 0.
     */
    public B priority(Priority own) {
        this.priority = own;
        return self();
    }

    /** Sets a health check. By default there is no health check, and the candidates count as healthy. */
    public B health(HealthCheck check) {
        this.health = Optional.of(check);
        return self();
    }

    /** Sets whether the election requires a store that never forgets a term. Default: {@link Fencing#BEST_EFFORT}. */
    public B fencing(Fencing need) {
        this.fencing = need;
        return self();
    }

    /**
     * Sets whether the elections are closed when the JVM shuts down, for example after SIGTERM. Default: true.
     *
     * <p>A JVM shutdown hook closes all open elections of the process at the same time. It interrupts the task of each
     * leader, waits until the task has stopped, and releases the lease. The wait is at most that of {@code close}, and
     * at most 30 s. So another candidate can lead at once. Without the hook it waits for the end of the ttl.
     *
     * <p>The JVM runs its shutdown hooks concurrently. If a framework or your own hook closes the elections before
     * their store and other resources, set false.
     */
    public B closeOnShutdown(boolean close) {
        this.closeOnShutdown = close;
        return self();
    }

    /**
     * Sets threads, clocks and the source of random seeds, for tests. The caller closes the threads and the elections.
     * {@link #closeOnShutdown} has no effect then.
     */
    public B threads(Threads own, LongSupplier seedSource) {
        this.threads = Optional.of(own);
        this.seeds = seedSource;
        return self();
    }

    abstract B self();

    /**
     * Opens the store and starts the threads, unless the caller has set them. The method then passes the store and the
     * threads to {@code build}. It also logs a warning for each right that the store lacks, see {@link
     * LeaseStore#missingRights}.
     *
     * <p>If the method fails, it closes what it has opened.
     *
     * @throws IllegalStateException if the JVM is shutting down and would not close the elections
     */
    final <T extends AutoCloseable> T open(String what, Function<Opened, T> build) {
        LeaseStore opened = store;
        Runnable closeStore = () -> {};
        if (opened == null) {
            if (storeUrl == null) {
                throw new IllegalArgumentException(what + " has no store; "
                        + "name one, such as store(\"file:/var/lib/doyen\") or store(\"memory:\")");
            }
            opened = LeaseStore.open(storeUrl);
            closeStore = opened::close;
        }
        Runnable closeThreads = () -> {};
        try {
            checkFencing(what, opened.promises());
            opened.missingRights().forEach(right -> LOG.log(Level.WARNING, what + ": " + right));
            Threads running = threads.orElse(null);
            if (running == null) {
                running = new SystemThreads("doyen");
                closeThreads = running::close;
            }
            var candidature = new LeaseElection.Candidature(priority, health);
            var parts = new Opened(opened, running, timing, seeds, candidature, closeThreads, closeStore);
            T built = build.apply(parts);
            if (closeOnShutdown && threads.isEmpty()) {
                ShutdownHook.OF_JVM.add(parts, what, built);
            }
            return built;
        } catch (Throwable e) {
            closeThreads.run();
            closeStore.run();
            throw e;
        }
    }

    private void checkFencing(String what, LeaseStore.Promises promises) {
        if (fencing == Fencing.REQUIRED && !promises.durableTerms()) {
            String why = promises.remarks().isEmpty() ? "" : ": " + String.join(" ", promises.remarks());
            throw new IllegalArgumentException(what + " requires fencing, but its store (" + promises.scope()
                    + ") may lose a term that it has confirmed" + why
                    + "; use a durable store, or fencing(Fencing.BEST_EFFORT) if two leaders may write for a while");
        }
    }

    /**
     * The parts of an election. {@code closeThreads} and {@code closeStore} close only what {@code open} has opened.
     */
    record Opened(
            LeaseStore store,
            Threads threads,
            LeaseTiming timing,
            LongSupplier seeds,
            LeaseElection.Candidature candidature,
            Runnable closeThreads,
            Runnable closeStore)
            implements AutoCloseable {

        /**
         * Closes the threads and the store when {@code ended} completes.
         *
         * <p>If the future has not completed yet, work still runs. The release after this work needs the threads and
         * the store. In this case the method returns at once, and a callback thread closes them later. If the caller
         * has already closed its threads, the future never completes, so the method does not wait for it.
         */
        void closeAfter(CompletableFuture<?> ended) {
            boolean threadsClosed = !threads.loop(() -> {});
            if (ended.isDone() || threadsClosed) {
                close();
            } else {
                CompletableFuture<Void> unused = ended.thenRunAsync(this::close, threads::callback);
            }
        }

        @Override
        public void close() {
            try {
                closeThreads.run();
                closeStore.run();
            } finally {
                ShutdownHook.OF_JVM.remove(this);
            }
        }
    }
}
