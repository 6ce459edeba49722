package dev.doyen.demo.quorum.driver;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.demo.quorum.MemberReport.Candidacy;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate that counts while it leads.
 *
 * <p>The candidate saves each number in the saved state of the lease. A new leader continues from the last number of
 * the previous leader.
 *
 * <p>Threads: {@link #run} blocks its caller; the other methods may be called on any thread.
 */
final class CountingCandidate {

    private static final Duration BETWEEN_NUMBERS = Duration.ofMillis(400);

    private final LeaseCandidate candidate;
    private final Consumer<CountingCandidate> counted;
    private long term;
    private long count;
    private @Nullable LossCause lost;

    /**
     * Joins the election.
     *
     * @param counted receives this candidate after each number
     */
    CountingCandidate(Election election, String id, Consumer<CountingCandidate> counted) {
        this.counted = counted;
        candidate = election.join(id);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                ended(cause);
            }
        });
    }

    /** Counts whenever this candidate leads. Returns after the candidate is closed or the thread is interrupted. */
    void run() {
        try {
            candidate.<RuntimeException>whileLeading(this::count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts until the leadership ends. The end of the leadership interrupts this thread, and further saves fail. */
    private void count(LeaseLeadership leadership) throws InterruptedException {
        SavedState saved = leadership.state();
        began(leadership.term(), saved.isEmpty() ? 0 : Long.parseLong(saved.text()));
        while (true) {
            long next = count() + 1;
            leadership.save(SavedState.ofText(Long.toString(next)));
            saved(next);
            counted.accept(this);
            Thread.sleep(BETWEEN_NUMBERS.toMillis());
        }
    }

    /**
     * The candidate's part of a report, with the time of the report.
     *
     * @param atNanos the time of the report. If {@code candidacy} states that the candidate leads, then the candidate
     *     certainly led at this time
     */
    record Snapshot(long atNanos, Candidacy candidacy) {}

    Snapshot snapshot() {
        Optional<LeaseLeadership> leadership = candidate.leadership();
        long now = System.nanoTime();
        // The candidate acquired the leadership before this clock reading, and the leadership is still certain after
        // the reading. Therefore the candidate led at the time of the reading.
        boolean leads = leadership.filter(LeaseLeadership::isCertain).isPresent();
        Optional<Leader> leader = candidate.leader();
        synchronized (this) {
            return new Snapshot(
                    now,
                    new Candidacy(
                            leads && leadership.get().term() == term,
                            term,
                            count,
                            leads ? null : lost,
                            leader.map(Leader::id).orElse(null),
                            leader.map(Leader::term).orElse(0L)));
        }
    }

    private synchronized void began(long nextTerm, long from) {
        term = nextTerm;
        count = from;
        lost = null;
    }

    private synchronized long count() {
        return count;
    }

    private synchronized void saved(long number) {
        count = number;
    }

    private synchronized void ended(LossCause cause) {
        lost = cause;
    }
}
