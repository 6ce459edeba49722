package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Watches over the token of a live connection: asks for the next one in good time, and says when it is over. A token is
 * dated by the wall clock; from when it is handed in, its time is measured on the monotonic one.
 */
final class TokenTimers {

    /** As Ably does, so that SDKs have the time they expect. Who has a shorter token is not asked. */
    private static final Duration NOTICE = Duration.ofSeconds(30);

    private final Timers timers;

    TokenTimers(Timers timers) {
        this.timers = timers;
    }

    /** Sets the watch anew, by the access the connection has now. */
    void arm(Turn turn, Connection connection, Consumer<Turn> over) {
        cancel(connection);
        if (connection.access.expiresMillis().isEmpty()) {
            return;
        }
        long leftMillis = connection.access.expiresMillis().getAsLong() - turn.wallMillis();
        long endNanos = turn.nanos() + Duration.ofMillis(leftMillis).toNanos();
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

    private static void end(Turn turn, Connection connection, Consumer<Turn> over) {
        connection.token = null;
        over.accept(turn);
    }
}
