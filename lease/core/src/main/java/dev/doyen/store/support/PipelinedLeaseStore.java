package dev.doyen.store.support;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The base class for stores over an asynchronous client.
 *
 * <p>Such a store sends many requests before it waits for the first answer. No call waits longer than the timeout, and
 * no call sends a request after the timeout. Subclasses send the requests. If an answer is late, failed or unreadable,
 * a read throws an exception, and a write has an unknown outcome. A read of many elections omits unreadable records. If
 * some answers arrive in time, this read also omits the elections whose answers are late.
 *
 * <p>Threads: any number at the same time, if the methods of the subclass are thread-safe.
 */
public abstract class PipelinedLeaseStore implements LeaseStore {

    private final String place;
    private final Duration timeout;
    private final int atOnce;
    private final LongSupplier nanos;

    /**
     * @param place the name of the store in messages, such as {@code etcd at h:2379}; without credentials
     * @param timeout the time limit of each call, including a call for many elections
     * @param atOnce the maximum number of requests in flight for one call; at least 1
     */
    protected PipelinedLeaseStore(String place, Duration timeout, int atOnce) {
        this(place, timeout, atOnce, System::nanoTime);
    }

    /** @param nanos the clock of the timeout, in nanoseconds from an arbitrary origin */
    PipelinedLeaseStore(String place, Duration timeout, int atOnce, LongSupplier nanos) {
        this.place = place;
        this.timeout = timeout;
        this.atOnce = atOnce;
        this.nanos = nanos;
    }

    /**
     * Sends the reads of at most {@code atOnce} elections. Returns the futures of the answers in the same order.
     *
     * <p>If all reads fail, the method may throw the exception instead of returning failed futures. The future of an
     * unreadable record fails with {@link UnreadableRecordException}.
     */
    protected abstract List<CompletableFuture<VersionedLease>> sendReads(List<String> elections);

    /**
     * Sends one write.
     *
     * <p>The future completes with {@link CasOutcome.Written} or {@link CasOutcome.Conflict}. If the future fails,
     * the result is {@link CasOutcome.Unknown}. Instead of returning a failed future, the method may throw the
     * exception.
     */
    protected abstract CompletableFuture<CasOutcome> send(LeaseStore.Write write);

    /**
     * Returns the exception for a failure by which the server rejects requests, because a right is missing.
     *
     * <p>This implementation returns an empty result. The future of a request may also fail with a
     * {@link StoreRefusedException}.
     *
     * @param cause the innermost cause of the failure
     */
    protected Optional<StoreRefusedException> refusal(Throwable cause) {
        return Optional.empty();
    }

    private Optional<StoreRefusedException> refused(Throwable e) {
        Throwable cause = describing(e);
        return cause instanceof StoreRefusedException refused ? Optional.of(refused) : refusal(cause);
    }

    /**
     * Waits for a connection, at most for {@code atMost}. This implementation does not wait. A subclass must override
     * this method if its client queues requests while it has no connection.
     */
    protected void awaitConnection(Duration atMost) {}

    @Override
    public final VersionedLease read(String election) {
        long deadline = deadline();
        return answer(sent(List.of(election), deadline).get(0), deadline);
    }

    @Override
    public final Map<String, VersionedLease> readAll(Collection<String> elections) {
        long deadline = deadline();
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        try {
            for (List<String> some : portions(List.copyOf(elections))) {
                collect(some, sent(some, deadline), deadline, found);
            }
        } catch (StoreUnavailableException e) {
            if (found.isEmpty() || !isOver(deadline)) {
                throw e;
            }
        }
        return found;
    }

    /**
     * Adds the readable records to {@code found}.
     *
     * @throws StoreUnavailableException if an answer has failed or is late. If an answer is late, the method has added
     *     the records that arrived in time
     */
    private void collect(
            List<String> elections,
            List<CompletableFuture<VersionedLease>> reads,
            long deadline,
            Map<String, VersionedLease> found) {
        Optional<StoreUnavailableException> late = Optional.empty();
        for (int i = 0; i < elections.size(); i++) {
            String election = elections.get(i);
            CompletableFuture<VersionedLease> read = reads.get(i);
            try {
                LeaseStore.findReadable(election, () -> answer(read, deadline))
                        .ifPresent(lease -> found.put(election, lease));
            } catch (StoreUnavailableException e) {
                if (!isOver(deadline)) {
                    throw e;
                }
                late = Optional.of(e);
            }
        }
        if (late.isPresent()) {
            throw late.get();
        }
    }

    private List<CompletableFuture<VersionedLease>> sent(List<String> elections, long deadline) {
        try {
            prepareToSend(deadline);
            return sendReads(elections);
        } catch (RuntimeException e) {
            throw unanswered(e);
        }
    }

    /**
     * Waits for a connection.
     *
     * @throws StoreUnavailableException if there is no connection, or if no request may be sent because the deadline
     *     has passed
     */
    private void prepareToSend(long deadline) {
        awaitConnection(left(deadline));
        if (isOver(deadline)) {
            throw new StoreUnavailableException("no time was left to send the request");
        }
    }

    private VersionedLease answer(CompletableFuture<VersionedLease> read, long deadline) {
        try {
            return await(read, deadline);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            throw unanswered(e);
        }
    }

    private StoreUnavailableException unanswered(Exception e) {
        Optional<StoreRefusedException> refusal = refused(e);
        if (refusal.isPresent()) {
            return new StoreRefusedException(
                    place + " rejects a read: " + refusal.get().refusal(),
                    refusal.get().remedy(),
                    e);
        }
        if (describing(e) instanceof UnreadableRecordException) {
            return new UnreadableRecordException(place + " has an unreadable record: " + whatHappened(e), e);
        }
        return new StoreUnavailableException(place + " did not answer a read: " + whatHappened(e), e);
    }

    @Override
    public final CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseStore.Write(expected, next))).get(0);
    }

    @Override
    public final List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        long deadline = deadline();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (List<LeaseStore.Write> some : portions(writes)) {
            List<CompletableFuture<CasOutcome>> sent = sendAll(some, deadline);
            for (int i = 0; i < some.size(); i++) {
                outcomes.add(outcome(some.get(i).next().election(), sent.get(i), deadline));
            }
        }
        return outcomes;
    }

    private List<CompletableFuture<CasOutcome>> sendAll(List<LeaseStore.Write> writes, long deadline) {
        try {
            prepareToSend(deadline);
        } catch (RuntimeException e) {
            return writes.stream()
                    .map(each -> CompletableFuture.<CasOutcome>failedFuture(e))
                    .toList();
        }
        return writes.stream().map(this::tryToSend).toList();
    }

    private CompletableFuture<CasOutcome> tryToSend(LeaseStore.Write write) {
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
            String what = "the lease of \"" + election + "\" could not be written to " + place + ": ";
            return refused(e)
                    .map(refusal -> CasOutcome.Unknown.of(
                            new StoreRefusedException(what + refusal.refusal(), refusal.remedy(), e)))
                    .orElseGet(() -> new CasOutcome.Unknown(what + whatHappened(e)));
        }
    }

    private <T> List<List<T>> portions(List<T> all) {
        List<List<T>> portions = new ArrayList<>();
        for (int i = 0; i < all.size(); i += atOnce) {
            portions.add(all.subList(i, Math.min(all.size(), i + atOnce)));
        }
        return portions;
    }

    private <T> T await(CompletableFuture<T> answer, long deadline) throws ExecutionException, TimeoutException {
        try {
            return answer.get(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for the answer", e);
        }
    }

    private long deadline() {
        return nanos.getAsLong() + timeout.toNanos();
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - nanos.getAsLong()));
    }

    private boolean isOver(long deadline) {
        return left(deadline).isZero();
    }

    /**
     * Returns the message of the cause that describes the failure best. This cause is the first
     * {@link StoreUnavailableException}, or else the innermost cause.
     *
     * <p>The outer exceptions report only that a call failed.
     */
    protected static String whatHappened(Throwable e) {
        Throwable cause = describing(e);
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        return cause instanceof StoreUnavailableException
                ? String.valueOf(cause.getMessage())
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static Throwable describing(Throwable e) {
        Throwable cause = e;
        while (!(cause instanceof StoreUnavailableException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
