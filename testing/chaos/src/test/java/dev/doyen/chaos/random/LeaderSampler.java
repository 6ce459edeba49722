package dev.doyen.chaos.random;

import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.chaos.random.LedgerLine.What;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Samples every two milliseconds whether each candidate leads.
 *
 * <p>The sampler appends the first and the last sample of each term to the ledger. Between them it appends one sample
 * every {@value #WRITE_EVERY_MILLIS} ms.
 */
final class LeaderSampler {

    private static final long SAMPLE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int WRITE_EVERY_MILLIS = 10;
    private static final long WRITE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(WRITE_EVERY_MILLIS);
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final LedgerWriter ledger;
    private final Map<String, LeaseCandidate> candidates;
    private final Map<String, LedgerLine> written = new LinkedHashMap<>();
    private final Map<String, LedgerLine> unwritten = new LinkedHashMap<>();

    LeaderSampler(LedgerWriter ledger, Map<String, LeaseCandidate> candidates) {
        this.ledger = ledger;
        this.candidates = candidates;
    }

    /** Samples until the end of the process. Never returns. */
    void run() {
        long last = System.nanoTime();
        while (true) {
            candidates.forEach(this::sample);
            LockSupport.parkNanos(SAMPLE_EVERY_NANOS);
            long now = System.nanoTime();
            if (now - last > STALL_NANOS) {
                ledger.note(What.STALLED, "-", 0, now - last);
            }
            last = now;
        }
    }

    private void sample(String election, LeaseCandidate candidate) {
        Optional<LeaseLeadership> leadership = candidate.leadership();
        if (leadership.isEmpty() || !claims(candidate, leadership.get())) {
            writeLast(election);
            return;
        }
        long stamp = System.nanoTime();
        if (claims(candidate, leadership.get())) {
            certain(election, leadership.get().term(), stamp);
        } else {
            writeLast(election);
        }
    }

    private static boolean claims(LeaseCandidate candidate, LeaseLeadership leadership) {
        return candidate.isLeader() && leadership.isCertain();
    }

    private void certain(String election, long term, long stamp) {
        LedgerLine before = written.get(election);
        boolean isFirst = before == null || before.term() != term;
        if (isFirst) {
            writeLast(election);
        }
        long samples = unwritten.containsKey(election) ? unwritten.get(election).value() + 1 : 1;
        LedgerLine line = new LedgerLine(What.CERTAIN, stamp, election, term, samples);
        unwritten.put(election, line);
        if (isFirst || stamp - before.stamp() >= WRITE_EVERY_NANOS) {
            writeLast(election);
        }
    }

    private void writeLast(String election) {
        LedgerLine last = unwritten.remove(election);
        if (last != null) {
            ledger.note(last);
            written.put(election, last);
        }
    }
}
