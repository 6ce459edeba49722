package dev.doyen.hub;

import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that was decided about a channel and is to happen everywhere: what goes into a {@link Log}, and comes out of it in
 * the same order on all nodes.
 */
sealed interface Change {

    Channel channel();

    /** For whom; null for nobody's connection. What it no longer has a say in is not to happen. */
    @Nullable
    Connection connection();

    /**
     * Messages are published.
     *
     * @param idBase the frame's id
     * @param fences what they were let through by; empty if by nothing
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

    /** A slot, and the term in which it is held. */
    record Fence(Slot slot, long term) {}

    /**
     * A client says who of it is present.
     *
     * @param claims what it claims, and was granted; null if nothing
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

    /** The hub removes all members of a connection. */
    record Left(Channel channel, Connection connection) implements Change {}

    /**
     * The hub takes the claim out of a member's data (rules C7, C8 and C16); the member stays.
     *
     * @param heir who may claim next; empty for whoever comes
     */
    record Demoted(Channel channel, Connection connection, String clientId, String reason, String heir)
            implements Change {}
}
