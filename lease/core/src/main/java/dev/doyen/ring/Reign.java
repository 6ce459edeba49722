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
 * @param laps the heartbeats that have not returned, oldest first
 * @param beatAtNanos when the next heartbeat is due
 * @param doubted true if the driver was told that no heartbeat has returned for half of the leader lease
 * @param sendsState true if the heartbeats carry the saved state, because none with the newest one has returned since
 *     the last won round
 */
record Reign(
        Term term,
        Moment confirmedAt,
        Duration lead,
        long sequence,
        List<Lap> laps,
        long beatAtNanos,
        boolean doubted,
        boolean sendsState) {

    /** The most heartbeats that are remembered. An older one confirms nothing when it returns. */
    static final int MAX_LAPS = 16;

    /** A heartbeat that was sent. */
    record Lap(long sequence, Moment sentAt) {}

    Reign {
        laps = List.copyOf(laps);
    }

    /** Returns a new leadership, confirmed by a message that was sent at {@code confirmedAt}. */
    static Reign begin(Term term, Moment confirmedAt, Duration lead) {
        return new Reign(term, confirmedAt, lead, 0, List.of(), 0, false, true);
    }

    /** Returns when the leader is in jeopardy, on the monotonic clock, unless a heartbeat returns first. */
    long doubtAtNanos() {
        return confirmedAt.nanos() + lead.toNanos() / 2;
    }

    Reign asDoubted() {
        return new Reign(term, confirmedAt, lead, sequence, laps, beatAtNanos, true, sendsState);
    }

    /** Returns the leadership, whose next heartbeats carry the saved state. */
    Reign withUnconfirmedState() {
        return new Reign(term, confirmedAt, lead, sequence, laps, beatAtNanos, doubted, true);
    }

    /** Returns the leadership after all members of the view have received the newest saved state. */
    Reign withConfirmedState() {
        return new Reign(term, confirmedAt, lead, sequence, laps, beatAtNanos, doubted, false);
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

    Reign sending(long nextSequence, Moment now, long nextBeatAtNanos) {
        var sent = new ArrayList<>(laps);
        if (sent.size() == MAX_LAPS) {
            sent.remove(0);
        }
        sent.add(new Lap(nextSequence, now));
        return new Reign(term, confirmedAt, lead, nextSequence, sent, nextBeatAtNanos, doubted, sendsState);
    }

    /** Returns the leadership after this heartbeat has returned. It confirms, and older ones are forgotten. */
    Reign returned(long returned) {
        for (Lap lap : laps) {
            if (lap.sequence() == returned) {
                List<Lap> later = laps.stream()
                        .filter(other -> other.sequence() > returned)
                        .toList();
                return new Reign(term, lap.sentAt(), lead, sequence, later, beatAtNanos, false, sendsState);
            }
        }
        return this;
    }

    /**
     * Returns the leadership after it has won another round, whose message was sent at {@code sentAt}.
     *
     * <p>Its heartbeats carry the saved state again, because the view may have members without it.
     */
    Reign confirmedAgain(Moment sentAt) {
        Moment later = sentAt.nanosSince(confirmedAt) > 0 ? sentAt : confirmedAt;
        return new Reign(term, later, lead, sequence, List.of(), beatAtNanos, false, true);
    }
}
