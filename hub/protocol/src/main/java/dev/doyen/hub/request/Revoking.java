package dev.doyen.hub.request;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.Revocation;
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

/** Revokes tokens at once, or after the clients have had time to request new tokens. */
public final class Revoking {

    /** The time that clients have to request a new token. Ably uses the same time. */
    public static final Duration MARGIN = Duration.ofSeconds(30);

    /** The maximum number of revocations that wait for the end of their margin. */
    public static final int MAX_WAITING = 1_000;

    private final Authenticator authenticator;
    private final Connections connections;
    private final Timers timers;
    private final @Nullable Nodes nodes;
    private int waiting;
    /** True if a revocation was added but not applied yet. */
    private boolean isChanged;

    public Revoking(Authenticator authenticator, Connections connections, Timers timers, @Nullable Nodes nodes) {
        this.authenticator = authenticator;
        this.connections = connections;
        this.timers = timers;
        this.nodes = nodes;
    }

    /**
     * Revokes the tokens of the target that were issued before {@code issuedBeforeMillis}. Call {@link #apply} in the
     * same step.
     */
    void now(StepContext step, String keyName, String target, long issuedBeforeMillis) throws Refusal {
        // Add 1, so that tokens issued in this millisecond can be revoked too.
        authenticator.revoke(keyName, target, issuedBeforeMillis, step.wallMillis() + 1);
        isChanged = true;
        if (nodes != null) {
            nodes.revoke(step, new Revocation(keyName, target, issuedBeforeMillis));
        }
    }

    /**
     * Disconnects the connections that use revoked tokens. A single hub also stores the revocations.
     *
     * <p>A request can revoke many targets. The method runs once for all of them, because it visits all stored
     * revocations and all connections.
     */
    void apply(StepContext step) {
        if (!isChanged) {
            return;
        }
        isChanged = false;
        if (nodes == null) {
            step.storeRevocations(authenticator.revocations());
        }
        connections.drop(step, authenticator::isRevoked);
    }

    /**
     * Revokes tokens after {@link #MARGIN}. Until then this node only asks its clients for new tokens.
     *
     * <p>Only this node stores the waiting revocation, which is lost when the node ends.
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
        connections.broadcast(step, named, ProtocolMessage.of(Action.AUTH));
        timers.set(step.nanos() + MARGIN.toNanos(), due -> {
            waiting--;
            try {
                now(due, keyName, target, issuedBeforeMillis);
                apply(due);
            } catch (Refusal full) {
                // The request was answered long ago. If the hub cannot store the revocation, it at least disconnects
                // the clients.
                connections.drop(due, named);
            }
        });
    }
}
