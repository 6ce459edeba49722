package dev.doyen.client.sight;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who leads, and whether it is this process.
 *
 * @param standing where this process stands
 * @param leader whom the elector named last; empty if nobody. If {@code standing} is UNKNOWN, that was some time ago
 * @param term the leader's fencing token, if the elector gives one: on {@code /v1} and for a single question it does, on
 *     {@code /sse} it does not. Give it to whatever you write to
 */
public record LeaderState(Standing standing, Optional<String> leader, OptionalLong term) {

    /** True if this process leads. */
    public boolean isLeader() {
        return standing == Standing.LEADING;
    }
}
