package dev.doyen.stores.quorum;

import io.microraft.RaftNode;
import io.microraft.report.RaftNodeReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The leader of the log, as far as this member knows. Threads: any, except where a method names one. */
final class LogLeader {

    /** The delay before the next check for a leader. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final QuorumEndpoint self;
    private final RaftNode node;
    private final RaftTime time;

    /**
     * When this process last knew a leader, in nanoseconds of {@link RaftTime#nanos}; MIN_VALUE before the first one.
     */
    private volatile long lastKnown = Long.MIN_VALUE;

    /** Whether the last report contained a leader. Raft thread only. */
    private boolean wasKnown;

    LogLeader(QuorumEndpoint self, RaftNode node, RaftTime time) {
        this.self = self;
        this.node = node;
        this.time = time;
    }

    RaftTime time() {
        return time;
    }

    /** Returns the leader; empty if this process knows none. */
    Optional<QuorumEndpoint> current() {
        return Optional.ofNullable((QuorumEndpoint) node.getTerm().getLeaderEndpoint());
    }

    boolean isSelf() {
        return current().filter(self::equals).isPresent();
    }

    /** Returns the time since this process last knew a leader. It is negative before the first one. */
    Duration unknownFor() {
        return Duration.ofNanos(time.nanos() - lastKnown);
    }

    /** Completes with true when a leader is known, and with false after {@code timeout}. */
    CompletableFuture<Boolean> awaitKnown(Duration timeout) {
        var known = new CompletableFuture<Boolean>();
        time.after(timeout, () -> known.complete(false));
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

    /** Processes a report of MicroRaft. Raft thread only. */
    void reported(RaftNodeReport report) {
        boolean isKnown = report.getTerm().getLeaderEndpoint() != null;
        if (isKnown || wasKnown) {
            lastKnown = time.nanos();
        }
        wasKnown = isKnown;
    }
}
