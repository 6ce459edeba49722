package dev.doyen.ring;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A leadership as its leader knows it (rules R7, R8).
 *
 * @param term the term
 * @param confirmedAt when the last lap that came back was sent: the deadline counts from here, on both clocks
 * @param lead how long it leads from there
 * @param sequence of the last lap that was sent
 * @param laps those that have not come back, the oldest first
 * @param beatAtNanos when the next lap is due
 * @param doubted whether the driver was told that none has come home for half of lead
 * @param sendsState whether its heartbeats carry the saved state: none with the newest one has come home since the round was won
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

    /** More laps than this are not waited for; the oldest is forgotten, and confirms nothing when it comes back. */
    static final int MAX_LAPS = 16;

    /** A lap that was sent. */
    record Lap(long sequence, Moment sentAt) {}

    Reign {
        laps = List.copyOf(laps);
    }

    /** A leadership that begins, with what is confirmed by a message that was sent then. */
    static Reign begin(Term term, Moment confirmedAt, Duration lead) {
        return new Reign(term, confirmedAt, lead, 0, List.of(), 0, false, true);
    }

    /** When to doubt, on the monotonic clock, unless a lap comes home first. */
    long doubtAtNanos() {
        return confirmedAt.nanos() + lead.toNanos() / 2;
    }

    Reign asDoubted() {
        return new Reign(term, confirmedAt, lead, sequence, laps, beatAtNanos, true, sendsState);
    }

    /** The same leadership, whose next heartbeats carry the saved state. */
    Reign withUnconfirmedState() {
        return new Reign(term, confirmedAt, lead, sequence, laps, beatAtNanos, doubted, true);
    }

    /** The same leadership, after all members of the view have got the newest saved state. */
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

    /** Whether only the wall clock says that time is up: the machine was suspended. */
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

    /** The lap of this sequence came back; so nothing older need be waited for. */
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

    /** The same term, confirmed by a round that was sent at {@code sentAt}. The view may have members without the state. */
    Reign confirmedAgain(Moment sentAt) {
        Moment later = sentAt.nanosSince(confirmedAt) > 0 ? sentAt : confirmedAt;
        return new Reign(term, later, lead, sequence, List.of(), beatAtNanos, false, true);
    }
}
