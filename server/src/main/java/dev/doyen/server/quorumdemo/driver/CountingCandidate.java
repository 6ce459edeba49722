package dev.doyen.server.quorumdemo.driver;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.server.quorumdemo.MemberReport.Candidacy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate that counts while it leads. It saves each number under its lease, and goes on from the number that the leader
 * before it saved last.
 *
 * <p>Threads: {@link #run} blocks the thread that calls it; the others may be called on any thread.
 */
final class CountingCandidate {

    private static final Duration BETWEEN_NUMBERS = Duration.ofMillis(400);

    private final Candidate candidate;
    private final Consumer<CountingCandidate> counted;
    private long term;
    private long count;
    private @Nullable LossCause lost;

    /** @param counted is called with this candidate after each number */
    CountingCandidate(Election election, String id, Consumer<CountingCandidate> counted) {
        this.counted = counted;
        candidate = election.join(id);
        candidate.listen(new ElectionListener() {
            @Override
            public void lost(LossCause cause) {
                ended(cause);
            }
        });
    }

    /** Counts whenever this candidate leads. Returns when the candidate is closed, or the thread is interrupted. */
    void run() {
        try {
            candidate.<RuntimeException>whileLeading(this::count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends when the leadership ends: this thread is interrupted then, and nothing can be saved. */
    private void count(Leadership leadership) throws InterruptedException {
        HandOverState saved = leadership.state();
        began(leadership.term(), saved.isEmpty() ? 0 : Long.parseLong(saved.text()));
        while (true) {
            long next = count() + 1;
            leadership.save(HandOverState.ofText(Long.toString(next)));
            saved(next);
            counted.accept(this);
            Thread.sleep(BETWEEN_NUMBERS.toMillis());
        }
    }

    /**
     * The part of a report that this candidate makes, and its time.
     *
     * @param atNanos if it says that the candidate leads, the candidate certainly led at this time
     */
    record Snapshot(long atNanos, Candidacy candidacy) {}

    Snapshot snapshot() {
        Optional<Leadership> leadership = candidate.leadership();
        long now = System.nanoTime();
        // Certain after the time was read, and known before: so it led at that time.
        boolean leads = leadership.filter(Leadership::isCertain).isPresent();
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
