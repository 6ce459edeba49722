package dev.doyen.lease;

import java.util.Map;
import java.util.Optional;

/**
 * The sessions as this process knows them (rule L12). Each step of a machine uses them.
 *
 * <p>Immutable. All machines of a process share one object.
 *
 * @param own the session of this process; empty while the process leads none
 * @param seen the sessions of other processes as last read, by the names of their records
 */
public record Sessions(Optional<OwnSession> own, Map<String, ObservedSession> seen) {

    public static final Sessions NONE = new Sessions(Optional.empty(), Map.of());

    /** Returns the session of this record as last read; empty before the record was read. */
    Optional<ObservedSession> of(String session) {
        // For this process's own session the present epoch runs while the process leads it. Older epochs are over.
        return own.filter(mine -> mine.epoch().session().equals(session))
                .map(mine -> new ObservedSession(
                        mine.epoch().term(),
                        true,
                        mine.leaderLease().sentAt().nanos()
                                + 2 * mine.leaderLease().deadline().toNanos()))
                .or(() -> Optional.ofNullable(seen.get(session)));
    }
}
