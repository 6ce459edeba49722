package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import io.microraft.Ordered;
import io.microraft.RaftNode;
import io.microraft.exception.CannotReplicateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends entries to the log. If this member does not lead, it sends the entries to the leader.
 *
 * <p>An entry with writes gets into the log at most once. If the leader's answer is lost, the outcome of the writes is
 * unknown. The member then does not send the entry again, because the log of a later leader possibly contains it.
 *
 * <p>Threads: any.
 */
final class LogWriter {

    /** Decides whether this member may append an entry. */
    interface Admission {

        /** Returns true if no entry may be appended now. The sender retries later. */
        boolean isFull();

        /**
         * Returns the reason why these writes must not be appended to the log. The result is empty if they may be
         * appended.
         */
        Optional<String> objection(List<LeaseStore.Write> writes);
    }

    /**
     * The maximum size of this leader's uncommitted entries together, in bytes, unless a single entry is longer.
     * {@link JournalGrowth#RESERVE} leaves room in each file of the journal for twice as many bytes.
     */
    static final long MAX_UNCOMMITTED = 750_000;

    /** An upper bound for the bytes that the journal adds to an entry. */
    private static final long JOURNAL_OVERHEAD = 100;

    private final AtomicLong uncommitted = new AtomicLong();
    private final RaftNode node;
    private final Admission admission;
    private final LogLeader leader;
    private final Requests requests;
    private final RaftTime time;
    private final CompletableFuture<String> stopped;

    /**
     * @param stopped the future that completes with the reason when this member stops
     */
    LogWriter(
            RaftNode node,
            Admission admission,
            LogLeader leader,
            Requests requests,
            CompletableFuture<String> stopped) {
        this.node = node;
        this.admission = admission;
        this.leader = leader;
        this.requests = requests;
        this.time = leader.time();
        this.stopped = stopped;
    }

    /**
     * Appends an entry as soon as a leader is known. The method sends the entry again only if the leader certainly did
     * not append it. The returned future completes with the leader's answer.
     */
    CompletableFuture<byte[]> appendOnce(byte[] entry, Duration timeout) {
        return attempt(entry, false, timeout);
    }

    /**
     * Appends an entry that may be in the log several times. The method sends the entry again whenever an answer is
     * lost.
     */
    CompletableFuture<byte[]> appendRepeatedly(byte[] entry, Duration timeout) {
        return attempt(entry, true, timeout);
    }

    private CompletableFuture<byte[]> attempt(byte[] entry, boolean isRepeatable, Duration timeout) {
        var result = new CompletableFuture<byte[]>();
        time.unlessDone(
                result,
                timeout,
                () -> result.completeExceptionally(new StoreUnavailableException(
                        leader.current().isPresent()
                                ? "the quorum did not answer within " + timeout.toMillis() + " ms"
                                : "no majority: no leader of the quorum was known within " + timeout.toMillis()
                                        + " ms")));
        attempt(entry, isRepeatable, result);
        return result;
    }

    private void attempt(byte[] entry, boolean isRepeatable, CompletableFuture<byte[]> result) {
        if (stopped.isDone()) {
            result.completeExceptionally(new StoreUnavailableException(stopped.join()));
        }
        if (result.isDone()) {
            return;
        }
        Runnable again = () -> time.after(LogLeader.LOOK_AGAIN, () -> attempt(entry, isRepeatable, result));
        Optional<QuorumEndpoint> present = leader.current();
        if (present.isEmpty()) {
            again.run();
            return;
        }
        CompletableFuture<Requests.Answered> answered =
                leader.isSelf() ? append(entry) : send(present.get().address(), entry, result);
        Futures.ignore(answered.whenComplete((answer, failure) -> {
            Throwable unknown = failure != null ? failure : answer.unknown();
            if (unknown == null) {
                switch (answer.answer()) {
                    case DONE -> result.complete(answer.body());
                    case UNAVAILABLE -> result.completeExceptionally(new StoreUnavailableException(answer.reason()));
                    default -> again.run();
                }
            } else if (isRepeatable) {
                again.run();
            } else {
                result.completeExceptionally(unknown);
            }
        }));
    }

    /** Sends an entry to the leader. If {@code result} completes first, the request no longer waits for its answer. */
    private CompletableFuture<Requests.Answered> send(String address, byte[] entry, CompletableFuture<byte[]> result) {
        CompletableFuture<Requests.Answered> answered = requests.send(address, Frames.Request.WRITE, entry);
        Futures.ignore(result.whenComplete((done, failure) ->
                answered.completeExceptionally(new StoreUnavailableException("the leader did not answer in time"))));
        return answered;
    }

    /**
     * Appends writes if this member leads the log. The returned future never fails. The answer reports a fault instead.
     */
    CompletableFuture<Requests.Answered> append(byte[] entry) {
        if (!leader.isSelf()) {
            return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
        }
        Optional<String> objection = admission.objection(LeaseBytes.writes(entry));
        if (objection.isPresent()) {
            return CompletableFuture.completedFuture(Requests.Answered.unavailable(objection.get()));
        }
        long bytes = entry.length + JOURNAL_OVERHEAD;
        if (admission.isFull() || !reserve(bytes)) {
            // The sender tries again later.
            return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
        }
        return replicate(entry).handle((done, failure) -> {
            uncommitted.addAndGet(-bytes);
            return failure == null ? Requests.Answered.done(written(done)) : failed(failure);
        });
    }

    /** Replicates the entry. The returned future also reports an exception or error that MicroRaft throws. */
    private CompletableFuture<Ordered<List<CasOutcome>>> replicate(byte[] entry) {
        try {
            return node.replicate(entry);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private boolean reserve(long bytes) {
        long before = uncommitted.getAndAdd(bytes);
        // A single entry is always allowed, however long it is.
        if (before == 0 || before + bytes <= MAX_UNCOMMITTED) {
            return true;
        }
        uncommitted.addAndGet(-bytes);
        return false;
    }

    private static byte[] written(Ordered<List<CasOutcome>> entry) {
        return new ByteSink()
                .longNumber(entry.getCommitIndex())
                .all(entry.getResult(), LeaseBytes::writeOutcome)
                .bytes();
    }

    private static Requests.Answered failed(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        // MicroRaft throws this exception before it appends anything.
        return cause instanceof CannotReplicateException
                ? Requests.Answered.NOT_LEADER
                : Requests.Answered.unknown("the leader of the quorum stepped down: "
                        + cause.getClass().getSimpleName());
    }
}
