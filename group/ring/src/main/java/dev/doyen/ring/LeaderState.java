package dev.doyen.ring;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a leadership, which the leader stores (rules R7, R8).
 *
 * @param term the term
 * @param lead the duration of the leader lease
 * @param confirmedAt the send time of the message that last confirmed the leadership: a returned heartbeat, or the
 *     message that showed a won round. After a won round, this value can be earlier than the send time. The leader
 *     lease starts at this time, on the monotonic clock and on the wall clock
 * @param sent the heartbeats that the leader has sent
 * @param doubted true if the driver was notified of the jeopardy and no confirmation has arrived since
 * @param sendsState true if the heartbeats contain the saved state, because no heartbeat with the newest saved state
 *     has returned since the last won round
 */
record LeaderState(
        Term term, Duration lead, Moment confirmedAt, SentHeartbeats sent, boolean doubted, boolean sendsState) {

    /**
     * The heartbeats that a leader has sent.
     *
     * @param sequence the number of the last heartbeat
     * @param unreturned the heartbeats that have not returned, oldest first
     * @param nextAtNanos the time at which the next heartbeat is due
     */
    record SentHeartbeats(long sequence, List<SentHeartbeat> unreturned, long nextAtNanos) {

        /**
         * The maximum number of stored heartbeats. A heartbeat that is no longer stored confirms nothing when it
         * returns.
         */
        static final int MAX = 16;

        static final SentHeartbeats NONE = new SentHeartbeats(0, List.of(), 0);

        SentHeartbeats {
            unreturned = List.copyOf(unreturned);
        }

        SentHeartbeats and(SentHeartbeat heartbeat, long nextAtNanos) {
            var all = new ArrayList<>(unreturned);
            if (all.size() == MAX) {
                all.remove(0);
            }
            all.add(heartbeat);
            return new SentHeartbeats(heartbeat.sequence(), all, nextAtNanos);
        }

        SentHeartbeats after(long returned) {
            List<SentHeartbeat> later = unreturned.stream()
                    .filter(each -> each.sequence() > returned)
                    .toList();
            return new SentHeartbeats(sequence, later, nextAtNanos);
        }
    }

    /** A heartbeat that was sent. */
    record SentHeartbeat(long sequence, Moment sentAt) {}

    /**
     * Returns the state of a new leadership. The message that confirms the leadership was sent at {@code confirmedAt}
     * or later.
     */
    static LeaderState begin(Term term, Moment confirmedAt, Duration lead) {
        return new LeaderState(term, lead, confirmedAt, SentHeartbeats.NONE, false, true);
    }

    /**
     * Returns the time at which the leader is in jeopardy, on the monotonic clock. A heartbeat that returns earlier
     * postpones this time.
     */
    long doubtAtNanos() {
        return confirmedAt.nanos() + lead.toNanos() / 2;
    }

    LeaderState asDoubted() {
        return new LeaderState(term, lead, confirmedAt, sent, true, sendsState);
    }

    /** Returns the state in which the next heartbeats contain the saved state. */
    LeaderState withUnconfirmedState() {
        return new LeaderState(term, lead, confirmedAt, sent, doubted, true);
    }

    /** Returns the state after all members of the view have received the newest saved state. */
    LeaderState withConfirmedState() {
        return new LeaderState(term, lead, confirmedAt, sent, doubted, false);
    }

    Duration remainingAt(Moment now) {
        long monotonic = lead.toNanos() - now.nanosSince(confirmedAt);
        long wall = lead.toNanos() - now.wallMillisSince(confirmedAt) * 1_000_000;
        return Duration.ofNanos(Math.max(0, Math.min(monotonic, wall)));
    }

    boolean holdsAt(Moment now) {
        return !remainingAt(now).isZero();
    }

    /**
     * Returns true if the leader lease has not expired on the monotonic clock. If the leader lease has expired
     * nevertheless, it has expired only on the wall clock, for example because the computer was suspended.
     */
    boolean wasSuspendedAt(Moment now) {
        return now.nanosSince(confirmedAt) < lead.toNanos();
    }

    LeaderState sending(SentHeartbeat heartbeat, long nextAtNanos) {
        return new LeaderState(term, lead, confirmedAt, sent.and(heartbeat, nextAtNanos), doubted, sendsState);
    }

    /**
     * Returns the state after this heartbeat has returned. The heartbeat confirms the leadership, and older heartbeats
     * are removed.
     */
    LeaderState returned(long returned) {
        for (SentHeartbeat heartbeat : sent.unreturned()) {
            if (heartbeat.sequence() == returned) {
                return new LeaderState(term, lead, heartbeat.sentAt(), sent.after(returned), false, sendsState);
            }
        }
        return this;
    }

    /**
     * Returns the state after the leader has won another round. The message that showed the win was sent at
     * {@code sentAt} or later.
     *
     * <p>The heartbeats contain the saved state again, because the view can have members that do not store the saved
     * state.
     */
    LeaderState confirmedAgain(Moment sentAt) {
        Moment later = sentAt.nanosSince(confirmedAt) > 0 ? sentAt : confirmedAt;
        return new LeaderState(term, lead, later, sent.after(sent.sequence()), false, true);
    }
}
