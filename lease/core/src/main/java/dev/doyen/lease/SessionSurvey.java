package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The held session records that a process found while looking for a free one (rule L12.3).
 *
 * <p>The survey measures how long each has been silent (rule L2). A record that has been silent for its ttl belongs to
 * a process that ended without releasing it. A process may fence the record, which frees it. Immutable.
 */
public final class SessionSurvey {

    public static final SessionSurvey NONE = new SessionSurvey(Map.of());

    private final Map<String, ObservedRecord> held;

    private SessionSurvey(Map<String, ObservedRecord> held) {
        this.held = Map.copyOf(held);
    }

    /**
     * Returns the survey after reading these records; the answer was received at {@code now}.
     *
     * <p>Drops records that nobody holds. Also drops those whose holder has written since the survey first read them.
     */
    public SessionSurvey seeing(Map<String, VersionedLease> found, Moment now) {
        Map<String, ObservedRecord> next = new HashMap<>(held);
        found.forEach((session, lease) -> {
            ObservedRecord before = held.getOrDefault(session, ObservedRecord.NONE);
            ObservedRecord seen = before.seeing(lease, now);
            if (seen.isWrittenSince(before) || !seen.isHeld()) {
                next.remove(session);
            } else {
                next.put(session, seen);
            }
        });
        return new SessionSurvey(next);
    }

    /** Returns the survey without these sessions. */
    public SessionSurvey without(Set<String> sessions) {
        Map<String, ObservedRecord> next = new HashMap<>(held);
        next.keySet().removeAll(sessions);
        return new SessionSurvey(next);
    }

    /** Returns the names of the session records that are held, as far as known. */
    public Set<String> sessions() {
        return held.keySet();
    }

    /** Returns when the first of them will have been silent for its ttl, in nanoseconds; empty if none is held. */
    public OptionalLong silentAtNanos(Moment now) {
        return held.values().stream().mapToLong(observed -> observed.freeAtNanos() - now.nanos()).min().stream()
                .map(wait -> now.nanos() + wait)
                .findFirst();
    }

    /**
     * Returns the writes that fence the silent sessions: each sets a higher epoch without a holder.
     *
     * <p>Each is a compare-and-set over the version that was silent.
     *
     * @param nonce the prefix of the writes' nonces; no other write may have it
     * @param ttl the ttl in the new records
     */
    public List<LeaseWrite> fences(Moment now, String nonce, Duration ttl) {
        Instant wall = Instant.ofEpochMilli(now.wallMillis());
        List<LeaseWrite> fences = new ArrayList<>();
        held.forEach((session, observed) -> {
            if (now.nanos() - observed.freeAtNanos() >= 0) {
                LeaseRecord next = LeaseRecord.unheld(
                        session, observed.highestTerm() + 1, nonce + "." + (fences.size() + 1), ttl, wall);
                fences.add(new LeaseWrite(observed.knownVersion(), next));
            }
        });
        return fences;
    }
}
