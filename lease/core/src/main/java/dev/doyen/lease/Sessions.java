package dev.doyen.lease;

import java.util.Map;
import java.util.Optional;

/**
 * The sessions as this process last observed them (rule L12). Each step of a machine uses these sessions.
 *
 * <p>Immutable. All machines of a process share one {@code Sessions} object.
 *
 * @param own the session of this process; empty while the process holds no session
 * @param seen the sessions of other processes as last read, by the names of their records
 */
public record Sessions(Optional<OwnSession> own, Map<String, ObservedSession> seen) {

    public static final Sessions NONE = new Sessions(Optional.empty(), Map.of());

    /** Returns the session with the given record, as last read. The result is empty before the record was read. */
    Optional<ObservedSession> of(String session) {
        // If this is the process's own session, its present epoch has not ended, and all older epochs have ended.
        return own.filter(mine -> mine.epoch().session().equals(session))
                .map(mine -> new ObservedSession(
                        mine.epoch().term(),
                        true,
                        mine.leaderLease().sentAt().nanos()
                                + 2 * mine.leaderLease().deadline().toNanos()))
                .or(() -> Optional.ofNullable(seen.get(session)));
    }
}
