package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes tokens back: at once, or after those who have them were asked for others and had the time for it. */
final class Revoking {

    /** As Ably does. */
    static final Duration MARGIN = Duration.ofSeconds(30);

    /** Revocations that wait for their margin to pass; beyond that they are refused. */
    static final int MAX_WAITING = 1_000;

    private final Authenticator authenticator;
    private final Connections connections;
    private final Timers timers;
    private final @Nullable Nodes nodes;
    private int waiting;

    Revoking(Authenticator authenticator, Connections connections, Timers timers, @Nullable Nodes nodes) {
        this.authenticator = authenticator;
        this.connections = connections;
        this.timers = timers;
        this.nodes = nodes;
    }

    /** Revokes what names the target and was issued before this time; the connections that were made with it end. */
    void now(Turn turn, String keyName, String target, long issuedBeforeMillis) throws Refusal {
        // Those of this very millisecond are up to now as well.
        authenticator.revoke(keyName, target, issuedBeforeMillis, turn.wallMillis() + 1);
        if (nodes != null) {
            nodes.revoke(turn, keyName, target, issuedBeforeMillis);
        }
        connections.drop(turn, authenticator::isRevoked);
    }

    /**
     * The same after {@link #MARGIN}; till then all is as before, but that this node's connections are asked for other
     * tokens. It waits in this node alone, and ends with it.
     */
    void later(Turn turn, String keyName, String target, long issuedBeforeMillis) throws Refusal {
        Predicate<Access> named = authenticator.named(keyName, target, issuedBeforeMillis, turn.wallMillis() + 1);
        if (waiting >= MAX_WAITING) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub has " + MAX_WAITING
                            + " revocations that wait, its limit; revoke without allowReauthMargin, or try again later");
        }
        waiting++;
        connections.tell(turn, named, ProtocolMessage.of(Action.AUTH));
        timers.set(turn.nanos() + MARGIN.toNanos(), due -> {
            waiting--;
            try {
                now(due, keyName, target, issuedBeforeMillis);
            } catch (Refusal full) {
                // Whoever asked was answered long ago: what the hub has no room to remember, it ends at least.
                connections.drop(due, named);
            }
        });
    }
}
