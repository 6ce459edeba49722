package dev.doyen.hub.channel;

import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that the hub has decided to make to a channel.
 *
 * <p>A change takes effect when the node reads it from the {@link Log}. All nodes read the changes in the same order.
 */
public sealed interface Change {

    Channel channel();

    /**
     * Returns the connection that the change concerns, or null for a publish without a connection. The log declines the
     * change if another node has already taken over this connection.
     */
    @Nullable
    Connection connection();

    /**
     * The publication of messages.
     *
     * @param idBase the id of the frame
     * @param fences the claims that permit the messages; empty if the messages have no fence
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
     * The changes that a PRESENCE frame makes to members.
     *
     * @param claims the granted claim of the frame; null if the frame contains no claim
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

    /** The removal of all members of a connection from the channel. */
    record Left(Channel channel, Connection connection) implements Change {}

    /**
     * The removal of the claim from a member's data (rules C7, C8 and C16). The member stays present.
     *
     * @param successor the only client that may claim next; empty if the slot is reserved for no client
     */
    record Demoted(Channel channel, Connection connection, String clientId, String reason, String successor)
            implements Change {}
}
