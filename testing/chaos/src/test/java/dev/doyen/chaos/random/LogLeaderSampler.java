package dev.doyen.chaos.random;

import dev.doyen.chaos.random.LedgerLine.What;
import dev.doyen.stores.quorum.QuorumLeaseStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Appends a line to the ledger when this member begins to lead the log of its quorum. */
final class LogLeaderSampler {

    private static final long SAMPLE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LedgerWriter ledger;
    private final QuorumLeaseStore member;

    LogLeaderSampler(LedgerWriter ledger, QuorumLeaseStore member) {
        this.ledger = ledger;
        this.member = member;
    }

    /** Samples until the end of the process. Never returns. */
    void run() {
        boolean wasLeader = false;
        while (true) {
            boolean isLeader = member.status().isLeader();
            if (isLeader && !wasLeader) {
                ledger.note(What.LEADS_LOG, "-", 0, 0);
            }
            wasLeader = isLeader;
            LockSupport.parkNanos(SAMPLE_EVERY_NANOS);
        }
    }
}
