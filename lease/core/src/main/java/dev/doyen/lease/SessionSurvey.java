package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The held session records that a process found while it searched for a free record (rule L12.3).
 *
 * <p>The survey measures how long each record has been silent (rule L2). If a record has been silent for its ttl, the
 * deadline of its holder has passed. So any process may fence the record. After the fence the record is free.
 * Immutable.
 */
public final class SessionSurvey {

    public static final SessionSurvey NONE = new SessionSurvey(new TreeMap<>());

    /** The records by their names. Nothing changes this map after the constructor. */
    private final SortedMap<String, ObservedRecord> held;

    private SessionSurvey(SortedMap<String, ObservedRecord> held) {
        this.held = held;
    }

    /**
     * Returns the survey after a read of these records, whose answer was received at {@code now}.
     *
     * <p>The result does not contain records that nobody holds, or records whose holder has written since the first
     * read.
     */
    public SessionSurvey seeing(Map<String, VersionedLease> found, Moment now) {
        SortedMap<String, ObservedRecord> next = new TreeMap<>(held);
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
        SortedMap<String, ObservedRecord> next = new TreeMap<>(held);
        next.keySet().removeAll(sessions);
        return new SessionSurvey(next);
    }

    /**
     * Returns the sorted names of the held session records whose holder has not written since the first read.
     */
    public List<String> sessions() {
        return List.copyOf(held.keySet());
    }

    /**
     * Returns the earliest time, in nanoseconds, at which a held record can be fenced. At this time the record will
     * have been silent for its ttl. The result is empty if this survey contains no record.
     */
    public OptionalLong silentAtNanos(Moment now) {
        return held.values().stream().mapToLong(observed -> observed.freeAtNanos() - now.nanos()).min().stream()
                .map(wait -> now.nanos() + wait)
                .findFirst();
    }

    /**
     * Returns the writes that fence the silent sessions, in the order of the sessions' names. Each write raises the
     * term and removes the holder.
     *
     * <p>Each write is a compare-and-set over the version of the record as last read.
     *
     * @param nonce the prefix of the nonces of these writes; no other write may use this prefix
     * @param ttl the ttl in the new records
     */
    public List<LeaseStore.Write> fences(Moment now, String nonce, Duration ttl) {
        Instant wall = Instant.ofEpochMilli(now.wallMillis());
        List<LeaseStore.Write> fences = new ArrayList<>();
        held.forEach((session, observed) -> {
            if (now.nanos() - observed.freeAtNanos() >= 0) {
                LeaseRecord next = LeaseRecord.unheld(
                        session, observed.highestTerm() + 1, nonce + "." + (fences.size() + 1), ttl, wall);
                fences.add(new LeaseStore.Write(observed.knownVersion(), next));
            }
        });
        return fences;
    }
}
