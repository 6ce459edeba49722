package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import java.time.Duration;

/**
 * The right to lead in one term until a deadline. Immutable: each confirmed renewal makes a new one.
 *
 * @param holder the leader
 * @param term the fencing token
 * @param sentAt both clocks just before the first attempt of the last confirmed write (rule L1)
 * @param deadline D, the duration of the right after {@code sentAt}
 * @param state the saved state that the store last confirmed under this lease
 */
public record LeaderLease(Identity holder, long term, Moment sentAt, Duration deadline, SavedState state) {

    /**
     * Returns true if the leader still leads at {@code now} (rule L4).
     *
     * <p>Less than D must have passed on the monotonic clock <em>and</em> on the wall clock. A wall clock that was set
     * back is ignored.
     */
    public boolean holdsAt(Moment now) {
        return now.nanosSince(sentAt) < deadline.toNanos() && !wallRanAheadAt(now);
    }

    /** Returns true if the wall clock has passed the deadline: a suspend, or a clock that was set. */
    boolean wallRanAheadAt(Moment now) {
        return now.wallMillisSince(sentAt) >= deadline.toMillis();
    }

    /** Returns the same right, limited by the right to lead the session (rule L12). */
    LeaderLease within(LeaderLease session) {
        return new LeaderLease(holder, term, session.sentAt, session.deadline, state);
    }

    /** Returns how long the leader still leads without a renewal; zero if it no longer leads. */
    public Duration remainingAt(Moment now) {
        if (!holdsAt(now)) {
            return Duration.ZERO;
        }
        Duration byWall = Duration.ofMillis(deadline.toMillis() - now.wallMillisSince(sentAt));
        Duration byNanos = deadline.minusNanos(now.nanosSince(sentAt));
        return byWall.compareTo(byNanos) < 0 ? byWall : byNanos;
    }
}
