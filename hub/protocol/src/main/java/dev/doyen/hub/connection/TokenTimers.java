package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Asks for a new token before a connection's token expires, and reports its expiry.
 *
 * <p>A token's expiry is a wall-clock time. After the hub has received the token, it measures the rest on the monotonic
 * clock.
 */
final class TokenTimers {

    /** Ably's value, which SDKs expect. A connection with a shorter token is not asked. */
    private static final Duration NOTICE = Duration.ofSeconds(30);

    private final Timers timers;

    TokenTimers(Timers timers) {
        this.timers = timers;
    }

    /** Sets the timers for the connection's current access. */
    void arm(StepContext step, Connection connection, Consumer<StepContext> over) {
        cancel(connection);
        if (connection.access.expiresMillis().isEmpty()) {
            return;
        }
        long leftMillis = connection.access.expiresMillis().getAsLong() - step.wallMillis();
        long endNanos = step.nanos() + Duration.ofMillis(leftMillis).toNanos();
        if (leftMillis <= NOTICE.toMillis()) {
            connection.token = timers.set(endNanos, later -> end(later, connection, over));
        } else {
            connection.token = timers.set(endNanos - NOTICE.toNanos(), later -> {
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
