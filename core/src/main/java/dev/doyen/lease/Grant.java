package dev.doyen.lease;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import java.time.Duration;

/**
 * The right to lead, with its end built in. Immutable: each confirmed renewal makes a new one.
 *
 * @param holder who leads
 * @param term the fencing token
 * @param sentAt both clocks just before the first attempt of the write that was last confirmed (rule L1)
 * @param deadline D
 * @param state the hand-over state last confirmed under this lease
 */
public record Grant(Identity holder, long term, Moment sentAt, Duration deadline, HandOverState state) {

    /**
     * Rule L4: leading holds while less than D has passed on the monotonic clock <em>and</em> on the wall clock. A
     * wall clock that was set back is ignored.
     */
    public boolean holdsAt(Moment now) {
        return now.nanosSince(sentAt) < deadline.toNanos() && !wallRanAheadAt(now);
    }

    /** True if the wall clock alone says the deadline has passed: the machine was suspended, or its clock was set. */
    boolean wallRanAheadAt(Moment now) {
        return now.wallMillisSince(sentAt) >= deadline.toMillis();
    }

    /** The same right for as long as the session that it is held under (rule L12). */
    Grant within(Grant session) {
        return new Grant(holder, term, session.sentAt, session.deadline, state);
    }

    /** How much longer this leads if nothing is renewed; zero once it no longer does. */
    public Duration remainingAt(Moment now) {
        if (!holdsAt(now)) {
            return Duration.ZERO;
        }
        Duration byWall = Duration.ofMillis(deadline.toMillis() - now.wallMillisSince(sentAt));
        Duration byNanos = deadline.minusNanos(now.nanosSince(sentAt));
        return byWall.compareTo(byNanos) < 0 ? byWall : byNanos;
    }
}
