package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import java.time.Duration;

/**
 * The right to lead in one term until a deadline. The object is immutable, and each confirmed renewal creates a new
 * object.
 *
 * @param holder the leader
 * @param term the fencing token
 * @param sentAt both clocks just before the first attempt of the last confirmed write (rule L1)
 * @param deadline D, the duration of this right, counted from {@code sentAt}
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

    /**
     * Returns true if the deadline has passed on the wall clock. If the deadline has not passed on the monotonic clock,
     * the computer was suspended or the wall clock was set forward.
     */
    boolean wallRanAheadAt(Moment now) {
        return now.wallMillisSince(sentAt) >= deadline.toMillis();
    }

    /** Returns this leader lease with the send time and deadline of {@code session} (rule L12). */
    LeaderLease within(LeaderLease session) {
        return new LeaderLease(holder, term, session.sentAt, session.deadline, state);
    }

    /** Returns how long the leader still leads without a renewal. The result is zero if it no longer leads. */
    public Duration remainingAt(Moment now) {
        if (!holdsAt(now)) {
            return Duration.ZERO;
        }
        Duration byWall = Duration.ofMillis(deadline.toMillis() - now.wallMillisSince(sentAt));
        Duration byNanos = deadline.minusNanos(now.nanosSince(sentAt));
        return byWall.compareTo(byNanos) < 0 ? byWall : byNanos;
    }
}
