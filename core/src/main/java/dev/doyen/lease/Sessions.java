package dev.doyen.lease;

import java.util.Map;
import java.util.Optional;

/**
 * The sessions as this process knows them (rule L12); each step of a machine takes them. Immutable; all machines of a
 * process share one.
 *
 * @param own this process's session; empty while the process leads none
 * @param seen the sessions of other processes by the names of their records, as last observed
 */
public record Sessions(Optional<OwnSession> own, Map<String, SessionSight> seen) {

    public static final Sessions NONE = new Sessions(Optional.empty(), Map.of());

    /** Returns the session with this record as it was last seen; empty before the record was read. */
    Optional<SessionSight> of(String session) {
        // An older epoch of this process's own session is over. The present one runs as long as it is led.
        return own.filter(mine -> mine.epoch().session().equals(session))
                .map(mine -> new SessionSight(
                        mine.epoch().term(),
                        true,
                        mine.grant().sentAt().nanos()
                                + 2 * mine.grant().deadline().toNanos()))
                .or(() -> Optional.ofNullable(seen.get(session)));
    }
}
