package dev.doyen.hub.channel;

import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a channel that the hub has decided on.
 *
 * <p>It takes effect when it is read from the {@link Log}, in the same order on all nodes.
 */
public sealed interface Change {

    Channel channel();

    /**
     * The connection that the change concerns; null for a publish without a connection. The log declines the change if
     * another node has this connection by then.
     */
    @Nullable
    Connection connection();

    /**
     * Publishes messages.
     *
     * @param idBase the id of the frame
     * @param fences the claims that permit the messages; empty if they carry no fence
     */
    record Published(
            Channel channel,
            @Nullable Connection connection,
            @Nullable Long msgSerial,
            String idBase,
            List<Message> messages,
            List<Fence> fences)
            implements Change {
        public Published {
            messages = List.copyOf(messages);
            fences = List.copyOf(fences);
        }
    }

    /** A slot and the term in which it is held. */
    record Fence(Slot slot, long term) {}

    /**
     * Applies a PRESENCE frame.
     *
     * @param claims the granted claim of the frame; null if it does not claim
     */
    record Presented(PresenceFrame frame, @Nullable Fence claims) implements Change {
        @Override
        public Channel channel() {
            return frame.channel();
        }

        @Override
        public Connection connection() {
            return frame.connection();
        }
    }

    /** Removes all members of a connection from the channel. */
    record Left(Channel channel, Connection connection) implements Change {}

    /**
     * Takes the claim out of a member's data (rules C7, C8 and C16). The member stays present.
     *
     * @param successor the only client that may claim next; empty if any client may
     */
    record Demoted(Channel channel, Connection connection, String clientId, String reason, String successor)
            implements Change {}
}
