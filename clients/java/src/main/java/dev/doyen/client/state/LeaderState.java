package dev.doyen.client.state;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The leader, and whether it is this process.
 *
 * @param role whether this process leads
 * @param leader the leader in the last answer; empty if there was none. If {@code role} is UNKNOWN, the answer is
 *     outdated
 * @param term the leader's fencing token, if the elector sends one. It does on {@code /v1} and for a single question,
 *     but not on {@code /sse}. Pass it to every resource that you write to
 */
public record LeaderState(Role role, Optional<String> leader, OptionalLong term) {

    /** Returns whether this process leads. */
    public boolean isLeader() {
        return role == Role.LEADING;
    }
}
