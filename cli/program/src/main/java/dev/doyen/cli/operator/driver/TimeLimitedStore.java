package dev.doyen.cli.operator.driver;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A store whose reads, writes and close end within a time limit.
 *
 * <p>Operator commands use this store, because a user waits for the answer.
 *
 * <p>Threads: the methods may be called on any thread. The calls run on separate daemon threads, at most
 * {@value #MAX_CALLS} at a time. Errors: a read, write or close that exceeds the limit fails with
 * {@link StoreUnavailableException} or {@link CasOutcome.Unknown}. The failed call can still take effect.
 */
public final class TimeLimitedStore extends ForwardingLeaseStore {

    /**
     * The default time limit. It exceeds the default timeouts of all stores, so that a store usually fails first, with
     * its more precise error message.
     */
    public static final Duration TIME_LIMIT = Duration.ofSeconds(20);

    private static final int MAX_CALLS = 16;

    private final ExecutorService calls;
    private final Duration timeLimit;

    private TimeLimitedStore(LeaseStore store, ExecutorService calls, Duration timeLimit) {
        super(store);
        this.calls = calls;
        this.timeLimit = timeLimit;
    }

    /**
     * Opens the store at {@code url}, as {@link LeaseStore#open} does.
     *
     * @throws StoreUnavailableException if the store cannot be opened within {@link #TIME_LIMIT}
     */
    public static TimeLimitedStore open(String url) {
        var calls = threads();
        return new TimeLimitedStore(within(calls, TIME_LIMIT, () -> LeaseStore.open(url)), calls, TIME_LIMIT);
    }

    /** Wraps an open store. Closing the wrapper also closes {@code store}. */
    static TimeLimitedStore over(LeaseStore store, Duration timeLimit) {
        return new TimeLimitedStore(store, threads(), timeLimit);
    }

    @Override
    public VersionedLease read(String election) {
        return within(calls, timeLimit, () -> behind().read(election));
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        try {
            return within(calls, timeLimit, () -> behind().compareAndSet(election, expected, next));
        } catch (StoreUnavailableException e) {
            return CasOutcome.Unknown.of(e);
        }
    }

    @Override
    public void close() {
        try {
            within(calls, timeLimit, () -> {
                behind().close();
                return true;
            });
        } finally {
            calls.shutdown();
        }
    }

    private static <T> T within(ExecutorService calls, Duration timeLimit, Supplier<T> call) {
        try {
            return calls.submit(call::get).get(timeLimit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException("the store gave no answer within " + timeLimit.toMillis() + " ms", e);
        } catch (RejectedExecutionException e) {
            throw new StoreUnavailableException(
                    MAX_CALLS + " calls to the store do not return, so no further calls are made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait for the store was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new StoreUnavailableException("the store failed: " + e.getCause(), e);
        } catch (OutOfMemoryError e) {
            throw new StoreUnavailableException("no thread could be started for a call to the store: " + e, e);
        }
    }

    private static ExecutorService threads() {
        return new ThreadPoolExecutor(0, MAX_CALLS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            var thread = new Thread(task, "doyen-store-call");
            thread.setDaemon(true);
            return thread;
        });
    }
}
