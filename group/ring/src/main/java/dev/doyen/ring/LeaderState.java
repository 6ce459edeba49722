package dev.doyen.ring;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A leadership, as its leader knows it (rules R7, R8).
 *
 * @param term the term
 * @param lead the duration of the leader lease
 * @param confirmedAt when the last heartbeat that returned was sent; the leader lease counts from here, on both clocks
 * @param sent the heartbeats that were sent
 * @param doubted true if the driver was told that no heartbeat has returned for half of the leader lease
 * @param sendsState true if the heartbeats carry the saved state, because none with the newest one has returned since
 *     the last won round
 */
record LeaderState(
        Term term, Duration lead, Moment confirmedAt, SentHeartbeats sent, boolean doubted, boolean sendsState) {

    /**
     * The heartbeats of a leader.
     *
     * @param sequence the number of the last one
     * @param unreturned those that have not returned, oldest first
     * @param nextAtNanos when the next one is due
     */
    record SentHeartbeats(long sequence, List<SentHeartbeat> unreturned, long nextAtNanos) {

        /** The most heartbeats that are remembered. An older one confirms nothing when it returns. */
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

    /** Returns a new leadership, confirmed by a message that was sent at {@code confirmedAt}. */
    static LeaderState begin(Term term, Moment confirmedAt, Duration lead) {
        return new LeaderState(term, lead, confirmedAt, SentHeartbeats.NONE, false, true);
    }

    /** Returns when the leader is in jeopardy, on the monotonic clock, unless a heartbeat returns first. */
    long doubtAtNanos() {
        return confirmedAt.nanos() + lead.toNanos() / 2;
    }

    LeaderState asDoubted() {
        return new LeaderState(term, lead, confirmedAt, sent, true, sendsState);
    }

    /** Returns the leadership, whose next heartbeats carry the saved state. */
    LeaderState withUnconfirmedState() {
        return new LeaderState(term, lead, confirmedAt, sent, doubted, true);
    }

    /** Returns the leadership after all members of the view have received the newest saved state. */
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

    /** Returns true if only the wall clock has passed the leader lease, because the machine was suspended. */
    boolean wasSuspendedAt(Moment now) {
        return now.nanosSince(confirmedAt) < lead.toNanos();
    }

    LeaderState sending(SentHeartbeat heartbeat, long nextAtNanos) {
        return new LeaderState(term, lead, confirmedAt, sent.and(heartbeat, nextAtNanos), doubted, sendsState);
    }

    /** Returns the leadership after this heartbeat has returned. It confirms, and older ones are forgotten. */
    LeaderState returned(long returned) {
        for (SentHeartbeat heartbeat : sent.unreturned()) {
            if (heartbeat.sequence() == returned) {
                return new LeaderState(term, lead, heartbeat.sentAt(), sent.after(returned), false, sendsState);
            }
        }
        return this;
    }

    /**
     * Returns the leadership after it has won another round, whose message was sent at {@code sentAt}.
     *
     * <p>Its heartbeats carry the saved state again, because the view may have members without it.
     */
    LeaderState confirmedAgain(Moment sentAt) {
        Moment later = sentAt.nanosSince(confirmedAt) > 0 ? sentAt : confirmedAt;
        return new LeaderState(term, lead, later, sent.after(sent.sequence()), false, true);
    }
}
