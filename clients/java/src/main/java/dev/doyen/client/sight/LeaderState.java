package dev.doyen.client.sight;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The leader, and whether it is this process.
 *
 * @param standing whether this process leads
 * @param leader the leader in the last answer; empty if there was none. If {@code standing} is UNKNOWN, the answer is
 *     outdated
 * @param term the leader's fencing token, if the elector sends one. It does on {@code /v1} and for a single question,
 *     but not on {@code /sse}. Pass it to every resource that you write to
 */
public record LeaderState(Standing standing, Optional<String> leader, OptionalLong term) {

    /** Returns whether this process leads. */
    public boolean isLeader() {
        return standing == Standing.LEADING;
    }
}
