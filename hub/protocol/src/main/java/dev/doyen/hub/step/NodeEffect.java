package dev.doyen.hub.step;

import dev.doyen.hub.Hub;
import dev.doyen.hub.log.Proposal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An effect of a node on the state that all nodes of the hub share. */
public sealed interface NodeEffect extends HubEffect {

    /** A visitor with one method per effect, so that the compiler reports a missing case. */
    interface Cases {
        void append(Append effect);

        void enroll(Enroll effect);

        void discharge(Discharge effect);

        void takeOver(TakeOver effect);

        void show(Show effect);
    }

    void accept(Cases cases);

    @Override
    default void accept(HubEffect.Cases cases) {
        cases.amongNodes(this);
    }

    /**
     * Appends a proposal to the log of all nodes. The driver appends proposals in the given order.
     *
     * <p>The driver answers with {@link Hub#logged}, or with {@link Hub#declined} and the proposal's number.
     */
    record Append(Proposal proposal) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.append(this);
        }
    }

    /**
     * Registers a connection, so that a client can resume it on every node.
     *
     * @param clientId the connection's client id; null if there is none
     * @param keyDigests the digests of the connection's keys, with the newest key first
     */
    record Enroll(String connectionId, @Nullable String clientId, List<String> keyDigests) implements NodeEffect {
        public Enroll {
            keyDigests = List.copyOf(keyDigests);
        }

        @Override
        public void accept(Cases cases) {
            cases.enroll(this);
        }
    }

    /** Removes the registration of a connection that can no longer be resumed. */
    record Discharge(String connectionId) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.discharge(this);
        }
    }

    /**
     * Moves a connection from another node to this node. The other node can be dead.
     *
     * <p>The driver answers with {@link Hub#logged} and the entry of the move, or with {@link Hub#declined}.
     */
    record TakeOver(
            long number,
            String connectionId,
            String keyDigest,
            @Nullable String clientId) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.takeOver(this);
        }
    }

    /** Sends a snapshot to a node that has just joined. */
    record Show(String node, String snapshot) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.show(this);
        }
    }
}
