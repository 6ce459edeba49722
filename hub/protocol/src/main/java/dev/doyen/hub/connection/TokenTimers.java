package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Requests a new token before a connection's token expires, and reports the expiry.
 *
 * <p>The expiry of a token is a wall-clock time. After the hub has received the token, it measures the remaining time
 * on the monotonic clock.
 */
final class TokenTimers {

    /**
     * The time between the request for a new token and the expiry. Ably uses the same time. If a token expires within
     * this time, the hub sends the request after half of the remaining time.
     */
    private static final Duration NOTICE = Duration.ofSeconds(30);

    /**
     * If a token expires within this time, the hub sends no request, because the client has too little time for the
     * answer.
     */
    private static final Duration NO_NOTICE = Duration.ofSeconds(5);

    private final Timers timers;

    TokenTimers(Timers timers) {
        this.timers = timers;
    }

    /**
     * Sets the timers for the connection's current access.
     *
     * @param over called when the token expires
     */
    void arm(StepContext step, Connection connection, Consumer<StepContext> over) {
        cancel(connection);
        if (connection.access.expiresMillis().isEmpty()) {
            return;
        }
        long leftMillis = connection.access.expiresMillis().getAsLong() - step.wallMillis();
        long endNanos = step.nanos() + Duration.ofMillis(leftMillis).toNanos();
        if (leftMillis <= NO_NOTICE.toMillis()) {
            connection.token = timers.set(endNanos, later -> end(later, connection, over));
        } else {
            long noticeMillis = leftMillis > NOTICE.toMillis() ? NOTICE.toMillis() : leftMillis / 2;
            connection.token = timers.set(
                    endNanos - Duration.ofMillis(noticeMillis).toNanos(), later -> {
                        later.send(connection, ProtocolMessage.of(Action.AUTH));
                        connection.token = timers.set(endNanos, latest -> end(latest, connection, over));
                    });
        }
    }

    void cancel(Connection connection) {
        if (connection.token != null) {
            timers.cancel(connection.token);
            connection.token = null;
        }
    }

    private static void end(StepContext step, Connection connection, Consumer<StepContext> over) {
        connection.token = null;
        over.accept(step);
    }
}
