package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a socket's query says, read and checked. Parameters the hub does not know are ignored, and so is {@code v}: the
 * framing is the same in every version.
 *
 * @param clientId who the connection speaks as: {@link Access#ANYBODY} as anybody, null as nobody in particular
 * @param echo whether the connection's own messages are sent back to it
 * @param heartbeats whether HEARTBEAT frames are sent; without, the client trusts the WebSocket's own pings
 * @param idleNanos the silence this client is promised never to see
 * @param resumeKey the key of the connection to go on with
 */
record ConnectParams(
        @Nullable String clientId,
        Echo echo,
        Heartbeats heartbeats,
        long idleNanos,
        long remainPresentNanos,
        Optional<String> resumeKey) {

    enum Echo {
        ON,
        OFF
    }

    enum Heartbeats {
        FRAMES,
        NONE
    }

    /** Of a connection at another node, to which this one sends nothing. */
    static final ConnectParams ELSEWHERE = new ConnectParams(null, Echo.ON, Heartbeats.NONE, 0, 0, Optional.empty());

    static ConnectParams read(Map<String, String> query, Access access, HubSettings settings) throws Refusal {
        @Nullable String requested = query.get("clientId");
        if (requested != null) {
            settings.clientIdRule().check(requested);
        }
        @Nullable String clientId = access.speakingAs(requested);
        String resume = query.getOrDefault("resume", query.get("recover"));
        return new ConnectParams(
                clientId,
                "false".equals(query.get("echo")) ? Echo.OFF : Echo.ON,
                "false".equals(query.get("heartbeats")) ? Heartbeats.NONE : Heartbeats.FRAMES,
                nanos(
                        query,
                        "heartbeatInterval",
                        settings.maxIdleInterval(),
                        HubSettings.MIN_IDLE_INTERVAL,
                        HubSettings.MAX_IDLE_INTERVAL),
                nanos(
                        query,
                        "remainPresentFor",
                        settings.remainPresentFor(),
                        HubSettings.MIN_REMAIN_PRESENT,
                        settings.connectionStateTtl()),
                Optional.ofNullable(resume));
    }

    private static long nanos(Map<String, String> query, String name, Duration usual, Duration min, Duration max)
            throws Refusal {
        @Nullable String text = query.get(name);
        if (text == null) {
            return usual.toNanos();
        }
        // Nine digits of milliseconds are eleven days, beyond every bound and within a long.
        long millis = text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
        if (millis < min.toMillis() || millis > max.toMillis()) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    name + " is " + Quote.of(text) + "; give whole milliseconds from " + min.toMillis() + " to "
                            + max.toMillis());
        }
        return Duration.ofMillis(millis).toNanos();
    }
}
