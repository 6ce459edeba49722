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
 */
record Reign(Term term, Moment confirmedAt, Duration lead, long sequence, List<Lap> laps, long beatAtNanos) {

    /** More laps than this are not waited for; the oldest is forgotten, and confirms nothing when it comes back. */
    static final int MAX_LAPS = 16;

    /** A lap that was sent. */
    record Lap(long sequence, Moment sentAt) {}

    Reign {
        laps = List.copyOf(laps);
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
        return new Reign(term, confirmedAt, lead, nextSequence, sent, nextBeatAtNanos);
    }

    /** The lap of this sequence came back; so nothing older need be waited for. */
    Reign returned(long returned) {
        for (Lap lap : laps) {
            if (lap.sequence() == returned) {
                List<Lap> later = laps.stream()
                        .filter(other -> other.sequence() > returned)
                        .toList();
                return new Reign(term, lap.sentAt(), lead, sequence, later, beatAtNanos);
            }
        }
        return this;
    }

    /** The same term, confirmed by a round that was sent at {@code sentAt}. */
    Reign confirmedAgain(Moment sentAt) {
        Moment later = sentAt.nanosSince(confirmedAt) > 0 ? sentAt : confirmedAt;
        return new Reign(term, later, lead, sequence, List.of(), beatAtNanos);
    }
}
