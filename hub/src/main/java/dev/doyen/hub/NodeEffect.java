package dev.doyen.hub;

import dev.doyen.hub.nodes.Proposal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one node of several wants done to what all share. */
public sealed interface NodeEffect extends HubEffect {

    /** One method per effect, so that a case forgotten does not compile. */
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
     * Put this into the log of all nodes. {@link Hub#logged} is owed with it, or {@link Hub#declined} with its number. In the
     * order given.
     */
    record Append(Proposal proposal) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.append(this);
        }
    }

    /**
     * Let all nodes know how this connection may be resumed.
     *
     * @param clientId whose it is; null if nobody's in particular
     * @param keyDigests what its keys are known by, newest first
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

    /** This connection, which was enrolled, cannot be resumed any more. */
    record Discharge(String connectionId) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.discharge(this);
        }
    }

    /**
     * Bring a connection here that another node has, or had. {@link Hub#logged} is owed with the entry that says so, or
     * {@link Hub#declined}.
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

    /** Show a node that has just joined what this one knows. */
    record Show(String node, String snapshot) implements NodeEffect {
        @Override
        public void accept(Cases cases) {
            cases.show(this);
        }
    }
}
