package dev.doyen.store.support;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Base class for stores over an asynchronous client.
 *
 * <p>It sends many requests before it waits for the first answer, and waits for no call longer than the timeout.
 * Subclasses send the requests. This class turns late, failed and unreadable answers into errors.
 *
 * <p>Threads: any number, if the subclass's methods allow that.
 */
public abstract class PipelinedLeaseStore implements LeaseStore {

    private final String place;
    private final Duration timeout;
    private final int atOnce;

    /**
     * @param place names the store in messages, such as {@code etcd at h:2379}; without credentials
     * @param timeout limits each call, also one for many elections
     * @param atOnce maximum number of requests under way for one call; at least 1
     */
    protected PipelinedLeaseStore(String place, Duration timeout, int atOnce) {
        this.place = place;
        this.timeout = timeout;
        this.atOnce = atOnce;
    }

    /**
     * Requests at most {@code atOnce} elections, and returns the answers in the same order.
     *
     * <p>May throw any exception with which a future may fail.
     */
    protected abstract List<CompletableFuture<VersionedLease>> sendReads(List<String> elections);

    /**
     * Sends one write.
     *
     * <p>The future completes with {@link CasOutcome.Written} or {@link CasOutcome.Conflict}. If it fails, the result
     * is {@link CasOutcome.Unknown}. May throw any exception with which the future may fail.
     */
    protected abstract CompletableFuture<CasOutcome> send(LeaseWrite write);

    /** Waits until requests can be sent. Some clients queue requests while they have no connection. */
    protected void awaitConnection(Duration atMost) {}

    @Override
    public final VersionedLease read(String election) {
        return readAll(List.of(election)).values().iterator().next();
    }

    @Override
    public final Map<String, VersionedLease> readAll(Collection<String> elections) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        try {
            for (List<String> some : portions(List.copyOf(elections))) {
                awaitConnection(left(deadline));
                List<CompletableFuture<VersionedLease>> asked = sendReads(some);
                for (int i = 0; i < some.size(); i++) {
                    found.put(some.get(i), await(asked.get(i), deadline));
                }
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            throw new StoreUnavailableException(place + " did not answer a read: " + whatHappened(e), e);
        }
        return found;
    }

    @Override
    public final CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseWrite(expected, next))).get(0);
    }

    @Override
    public final List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (List<LeaseWrite> some : portions(writes)) {
            List<CompletableFuture<CasOutcome>> sent = sendAll(some, deadline);
            for (int i = 0; i < some.size(); i++) {
                outcomes.add(outcome(some.get(i).next().election(), sent.get(i), deadline));
            }
        }
        return outcomes;
    }

    private List<CompletableFuture<CasOutcome>> sendAll(List<LeaseWrite> writes, long deadline) {
        try {
            awaitConnection(left(deadline));
        } catch (RuntimeException e) {
            return writes.stream()
                    .map(each -> CompletableFuture.<CasOutcome>failedFuture(e))
                    .toList();
        }
        return writes.stream().map(this::tryToSend).toList();
    }

    private CompletableFuture<CasOutcome> tryToSend(LeaseWrite write) {
        try {
            return send(write);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CasOutcome outcome(String election, CompletableFuture<CasOutcome> sent, long deadline) {
        try {
            return await(sent, deadline);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            return new CasOutcome.Unknown(
                    "the lease of \"" + election + "\" could not be written to " + place + ": " + whatHappened(e));
        }
    }

    private <T> List<List<T>> portions(List<T> all) {
        List<List<T>> portions = new ArrayList<>();
        for (int i = 0; i < all.size(); i += atOnce) {
            portions.add(all.subList(i, Math.min(all.size(), i + atOnce)));
        }
        return portions;
    }

    private static <T> T await(CompletableFuture<T> answer, long deadline) throws ExecutionException, TimeoutException {
        try {
            return answer.get(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for the answer", e);
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    /**
     * Returns the message of a {@link StoreUnavailableException}, or else of the innermost cause.
     *
     * <p>Exceptions around that cause only report that a call failed.
     */
    protected static String whatHappened(Throwable e) {
        Throwable cause = e;
        while (!(cause instanceof StoreUnavailableException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        return cause instanceof StoreUnavailableException
                ? String.valueOf(cause.getMessage())
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
