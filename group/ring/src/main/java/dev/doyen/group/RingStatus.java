package dev.doyen.group;

import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a ring election in this process, for metrics and pages. Immutable.
 *
 * @param me the member of this process
 * @param view the installed view; empty before the first view
 * @param round the number of the latest round in this view
 * @param buffered the number of messages that wait for a view that is not installed yet
 * @param savedState the newest saved state that has reached this process
 * @param lastHeartbeat the wall-clock time at which the last heartbeat of the known leader arrived. While this member
 *     leads: the time at which it began to lead or last won a round
 * @param confirmedIn the time from the send to the return of the message that last confirmed this leader; empty before
 *     the first confirmation. After a won round, the time can start at the beginning of the round
 * @param sent the number of messages sent since the start, by kind: {@code election}, {@code heartbeat}, {@code nack},
 *     {@code transfer} and {@code state}
 * @param dropped the number of messages dropped since the start, by reason (rule R11)
 */
public record RingStatus(
        Member me,
        Optional<View> view,
        long round,
        int buffered,
        SavedState savedState,
        Optional<Instant> lastHeartbeat,
        Optional<Duration> confirmedIn,
        Map<String, Long> sent,
        Map<String, Long> dropped) {}
