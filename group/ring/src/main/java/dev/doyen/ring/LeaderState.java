package dev.doyen.ring;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A leadership, as its leader knows it (rules R7, R8).
 *
 * @param term the term
 * @param confirmedAt when the last heartbeat that returned was sent; the leader lease counts from here, on both clocks
 * @param lead the duration of the leader lease
 * @param sequence the number of the last heartbeat that was sent
 * @param heartbeats the heartbeats that have not returned, oldest first
 * @param heartbeatAtNanos when the next heartbeat is due
 * @param doubted true if the driver was told that no heartbeat has returned for half of the leader lease
 * @param sendsState true if the heartbeats carry the saved state, because none with the newest one has returned since
 *     the last won round
 */
record LeaderState(
        Term term,
        Moment confirmedAt,
        Duration lead,
        long sequence,
        List<SentHeartbeat> heartbeats,
        long heartbeatAtNanos,
        boolean doubted,
        boolean sendsState) {

    /** The most heartbeats that are remembered. An older one confirms nothing when it returns. */
    static final int MAX_HEARTBEATS = 16;

    /** A heartbeat that was sent. */
    record SentHeartbeat(long sequence, Moment sentAt) {}

    LeaderState {
        heartbeats = List.copyOf(heartbeats);
    }

    /** Returns a new leadership, confirmed by a message that was sent at {@code confirmedAt}. */
    static LeaderState begin(Term term, Moment confirmedAt, Duration lead) {
        return new LeaderState(term, confirmedAt, lead, 0, List.of(), 0, false, true);
    }

    /** Returns when the leader is in jeopardy, on the monotonic clock, unless a heartbeat returns first. */
    long doubtAtNanos() {
        return confirmedAt.nanos() + lead.toNanos() / 2;
    }

    LeaderState asDoubted() {
        return new LeaderState(term, confirmedAt, lead, sequence, heartbeats, heartbeatAtNanos, true, sendsState);
    }

    /** Returns the leadership, whose next heartbeats carry the saved state. */
    LeaderState withUnconfirmedState() {
        return new LeaderState(term, confirmedAt, lead, sequence, heartbeats, heartbeatAtNanos, doubted, true);
    }

    /** Returns the leadership after all members of the view have received the newest saved state. */
    LeaderState withConfirmedState() {
        return new LeaderState(term, confirmedAt, lead, sequence, heartbeats, heartbeatAtNanos, doubted, false);
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

    LeaderState sending(long nextSequence, Moment now, long nextHeartbeatAtNanos) {
        var sent = new ArrayList<>(heartbeats);
        if (sent.size() == MAX_HEARTBEATS) {
            sent.remove(0);
        }
        sent.add(new SentHeartbeat(nextSequence, now));
        return new LeaderState(term, confirmedAt, lead, nextSequence, sent, nextHeartbeatAtNanos, doubted, sendsState);
    }

    /** Returns the leadership after this heartbeat has returned. It confirms, and older ones are forgotten. */
    LeaderState returned(long returned) {
        for (SentHeartbeat heartbeat : heartbeats) {
            if (heartbeat.sequence() == returned) {
                List<SentHeartbeat> later = heartbeats.stream()
                        .filter(other -> other.sequence() > returned)
                        .toList();
                return new LeaderState(
                        term, heartbeat.sentAt(), lead, sequence, later, heartbeatAtNanos, false, sendsState);
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
        return new LeaderState(term, later, lead, sequence, List.of(), heartbeatAtNanos, false, true);
    }
}
