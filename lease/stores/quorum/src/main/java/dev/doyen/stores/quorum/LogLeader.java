package dev.doyen.stores.quorum;

import io.microraft.RaftNode;
import io.microraft.report.RaftNodeReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The current leader of the log, as far as this member knows it. Threads: any, unless the comment of a method names a
 * thread.
 */
final class LogLeader {

    /** The interval between two checks for a leader. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final QuorumEndpoint self;
    private final RaftNode node;
    private final RaftTime time;

    /**
     * The time when this process last had a known leader. The unit is nanoseconds of {@link RaftTime#nanos}. The value
     * is MIN_VALUE before the first leader.
     */
    private volatile long lastKnown = Long.MIN_VALUE;

    /** True if MicroRaft's last report contained a leader. Only the Raft thread uses the field. */
    private boolean wasKnown;

    LogLeader(QuorumEndpoint self, RaftNode node, RaftTime time) {
        this.self = self;
        this.node = node;
        this.time = time;
    }

    RaftTime time() {
        return time;
    }

    /** Returns the leader; empty if this process has no known leader. */
    Optional<QuorumEndpoint> current() {
        return Optional.ofNullable((QuorumEndpoint) node.getTerm().getLeaderEndpoint());
    }

    boolean isSelf() {
        return current().filter(self::equals).isPresent();
    }

    /**
     * Returns the time since this process last had a known leader. The result is negative if no leader was ever known.
     */
    Duration unknownFor() {
        return Duration.ofNanos(time.nanos() - lastKnown);
    }

    /**
     * Returns a future that completes with true when a leader is known. The future completes with false after
     * {@code timeout}.
     */
    CompletableFuture<Boolean> awaitKnown(Duration timeout) {
        var known = new CompletableFuture<Boolean>();
        time.unlessDone(known, timeout, () -> known.complete(false));
        look(known);
        return known;
    }

    private void look(CompletableFuture<Boolean> known) {
        if (current().isPresent()) {
            known.complete(true);
        } else if (!known.isDone()) {
            time.after(LOOK_AGAIN, () -> look(known));
        }
    }

    /** Processes a report of MicroRaft. Only the Raft thread calls this method. */
    void reported(RaftNodeReport report) {
        boolean isKnown = report.getTerm().getLeaderEndpoint() != null;
        if (isKnown || wasKnown) {
            lastKnown = time.nanos();
        }
        wasKnown = isKnown;
    }
}
