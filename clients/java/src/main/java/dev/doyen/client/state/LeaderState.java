package dev.doyen.client.state;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The last known leader, and the role of this process.
 *
 * @param role the role of this process
 * @param leader the leader in the last answer; empty if this answer contained no leader, or before the first answer. If
 *     {@code role} is UNKNOWN, another process may lead now
 * @param term the leader's fencing token; empty if the elector sends no term. The stream at {@code /v1} and single
 *     requests contain the term, but the stream at {@code /sse} does not. Pass the term to every resource that you
 *     write
 */
public record LeaderState(Role role, Optional<String> leader, OptionalLong term) {

    /** Returns true if this process leads. */
    public boolean isLeader() {
        return role == Role.LEADING;
    }
}
