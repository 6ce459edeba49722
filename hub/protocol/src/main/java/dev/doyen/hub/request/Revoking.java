package dev.doyen.hub.request;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.nodes.Nodes;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Revokes tokens, at once or after their holders had time to request new ones. */
public final class Revoking {

    /** Ably's value. */
    public static final Duration MARGIN = Duration.ofSeconds(30);

    /** Maximum number of revocations that wait for their margin. */
    public static final int MAX_WAITING = 1_000;

    private final Authenticator authenticator;
    private final Connections connections;
    private final Timers timers;
    private final @Nullable Nodes nodes;
    private int waiting;

    public Revoking(Authenticator authenticator, Connections connections, Timers timers, @Nullable Nodes nodes) {
        this.authenticator = authenticator;
        this.connections = connections;
        this.timers = timers;
        this.nodes = nodes;
    }

    /** Revokes tokens of the target that were issued before this time, and disconnects their connections. */
    void now(StepContext step, String keyName, String target, long issuedBeforeMillis) throws Refusal {
        // Includes tokens that are issued in this millisecond.
        authenticator.revoke(keyName, target, issuedBeforeMillis, step.wallMillis() + 1);
        if (nodes != null) {
            nodes.revoke(step, keyName, target, issuedBeforeMillis);
        }
        connections.drop(step, authenticator::isRevoked);
    }

    /**
     * Revokes tokens after {@link #MARGIN}. Until then this node only asks its connections for new tokens.
     *
     * <p>The revocation waits on this node alone and is lost when the node ends.
     */
    void later(StepContext step, String keyName, String target, long issuedBeforeMillis) throws Refusal {
        Predicate<Access> named = authenticator.named(keyName, target, issuedBeforeMillis, step.wallMillis() + 1);
        if (waiting >= MAX_WAITING) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub has " + MAX_WAITING
                            + " revocations that wait, its limit; revoke without allowReauthMargin, or try again later");
        }
        waiting++;
        connections.tell(step, named, ProtocolMessage.of(Action.AUTH));
        timers.set(step.nanos() + MARGIN.toNanos(), due -> {
            waiting--;
            try {
                now(due, keyName, target, issuedBeforeMillis);
            } catch (Refusal full) {
                // The request was answered long ago. If the hub cannot store the revocation, it at least ends the
                // connections.
                connections.drop(due, named);
            }
        });
    }
}
