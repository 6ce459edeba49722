package dev.doyen.stores.quorum;

import io.microraft.RaftNode;
import io.microraft.report.RaftNodeReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The leader of the log, as this member knows it. Threads: any, except where a method names one. */
final class LogLeader {

    /** How long to wait for a leader before looking again. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final QuorumEndpoint self;
    private final RaftNode node;
    private final RaftTime time;

    /** When this process last knew a leader, in nanoseconds of {@link RaftTime#nanos}; MIN_VALUE before the first one. */
    private volatile long lastKnown = Long.MIN_VALUE;

    /** At the last report. On the Raft thread. */
    private boolean wasKnown;

    LogLeader(QuorumEndpoint self, RaftNode node, RaftTime time) {
        this.self = self;
        this.node = node;
        this.time = time;
    }

    RaftTime time() {
        return time;
    }

    /** Empty while this process knows none. */
    Optional<QuorumEndpoint> current() {
        return Optional.ofNullable((QuorumEndpoint) node.getTerm().getLeaderEndpoint());
    }

    boolean isSelf() {
        return current().filter(self::equals).isPresent();
    }

    /** The time since this process last knew a leader, which may be now. Negative before the first one. */
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

    /** Takes notice of MicroRaft's report. On the Raft thread. */
    void reported(RaftNodeReport report) {
        boolean isKnown = report.getTerm().getLeaderEndpoint() != null;
        if (isKnown || wasKnown) {
            lastKnown = time.nanos();
        }
        wasKnown = isKnown;
    }
}
