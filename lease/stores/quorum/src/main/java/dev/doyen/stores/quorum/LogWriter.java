package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import io.microraft.Ordered;
import io.microraft.RaftNode;
import io.microraft.exception.CannotReplicateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Appends entries to the log, on this member or on the leader.
 *
 * <p>An entry with writes is sent to the leader once. If its answer is lost, the outcome is unknown and the entry is
 * not repeated: it may still be in the log of a later leader.
 *
 * <p>Threads: any.
 */
final class LogWriter {

    /** Decides whether this member may append an entry. */
    interface Admission {

        /** Returns whether nothing may be appended now. The sender retries. */
        boolean isFull();

        /** Returns why these writes must not enter the log; empty if they may. */
        Optional<String> objection(List<LeaseWrite> writes);
    }

    private final RaftNode node;
    private final Admission admission;
    private final LogLeader leader;
    private final Requests requests;
    private final RaftTime time;
    private final CompletableFuture<String> stopped;

    /**
     * Creates a writer.
     *
     * @param stopped completes with the reason when this member stops
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

    /** Appends an entry once, when a leader is known. Returns the answer of the leader. */
    CompletableFuture<byte[]> appendOnce(byte[] entry, Duration timeout) {
        return attempt(entry, false, timeout);
    }

    /** Appends an entry that may be in the log several times. It is appended again whenever an answer is lost. */
    CompletableFuture<byte[]> appendRepeatedly(byte[] entry, Duration timeout) {
        return attempt(entry, true, timeout);
    }

    private CompletableFuture<byte[]> attempt(byte[] entry, boolean isRepeatable, Duration timeout) {
        var result = new CompletableFuture<byte[]>();
        time.after(
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
                leader.isSelf() ? append(entry) : requests.send(present.get().address(), Frames.Request.WRITE, entry);
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

    /** Appends writes if this member leads the log. Never fails: a fault is reported in the answer. */
    CompletableFuture<Requests.Answered> append(byte[] entry) {
        if (!leader.isSelf()) {
            return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
        }
        Optional<String> objection = admission.objection(LeaseBytes.writes(entry));
        if (objection.isPresent()) {
            return CompletableFuture.completedFuture(Requests.Answered.unavailable(objection.get()));
        }
        if (admission.isFull()) {
            return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
        }
        return node.<List<CasOutcome>>replicate(entry)
                .handle((done, failure) -> failure == null ? Requests.Answered.done(written(done)) : failed(failure));
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
                : Requests.Answered.unknown("the leader of the quorum lost its place: "
                        + cause.getClass().getSimpleName());
    }
}
