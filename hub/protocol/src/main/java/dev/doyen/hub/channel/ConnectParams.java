package dev.doyen.hub.channel;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters with which a client opens a socket.
 *
 * <p>The hub ignores unknown parameters. The hub also ignores the protocol version {@code v}, because the frames have
 * the same format in every version.
 *
 * @param clientId the client id: {@link Access#ANYBODY} if every client id is allowed, null if there is none
 * @param echo {@code ON} if the connection receives its own messages
 * @param heartbeats {@code FRAMES} if the hub sends HEARTBEAT frames; with {@code NONE}, the client relies on WebSocket
 *     pings
 * @param idleNanos the idle interval that the hub promises to the client: the maximum time between two frames of the
 *     hub, in nanoseconds
 * @param remainPresentNanos the time for which members stay present after the socket is lost, in nanoseconds
 * @param resumeKey the key of the connection to resume; empty for a new connection
 */
public record ConnectParams(
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

    public enum Heartbeats {
        FRAMES,
        NONE
    }

    /** The parameters of a connection at another node. This node sends nothing to such a connection. */
    public static final ConnectParams ELSEWHERE =
            new ConnectParams(null, Echo.ON, Heartbeats.NONE, 0, 0, Optional.empty());

    /** Reads the parameters of a query. Throws a {@link Refusal} if a parameter is invalid. */
    public static ConnectParams read(Map<String, String> query, Access access, HubSettings settings) throws Refusal {
        @Nullable String requested = query.get("clientId");
        if (requested != null) {
            settings.clientIdRule().check(requested);
        }
        @Nullable String clientId = access.resolveClientId(requested);
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
        // Nine digits of milliseconds are eleven days: above every limit, and within the range of a long.
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
