package dev.doyen.lease;

import java.util.Map;
import java.util.Optional;

/**
 * What a machine is told about sessions with each input (rule L12). Immutable; one serves all machines of a process.
 *
 * @param ownName the name of this process's session record; empty if it has none
 * @param own the right to lead one's own session, by which the leases under it are held; its term is the epoch
 * @param seen the sessions of others, as far as they were looked at
 */
public record Sessions(String ownName, Optional<Grant> own, Map<String, SessionSight> seen) {

    public static final Sessions NONE = new Sessions("", Optional.empty(), Map.of());

    /** What is known of this session; empty before it was looked at. */
    Optional<SessionSight> of(String session) {
        if (session.equals(ownName)) {
            // One's own session in an older epoch is over; in this one it runs, or it would not be one's own.
            return own.map(grant -> new SessionSight(
                    grant.term(),
                    true,
                    grant.sentAt().nanos() + 2 * grant.deadline().toNanos()));
        }
        return Optional.ofNullable(seen.get(session));
    }
}
