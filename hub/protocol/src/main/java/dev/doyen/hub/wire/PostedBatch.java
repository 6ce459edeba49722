package dev.doyen.hub.wire;

import java.util.List;

/**
 * The body of a publish request for several channels.
 *
 * @param listed true if the body was a list of {@link Spec}; false if the body was a single {@link Spec}
 */
public record PostedBatch(List<Spec> specs, boolean listed) {

    /** The maximum number of specs in a request. A request cannot name more channels either. */
    public static final int MAX_SPECS = 100;

    /** The messages that the request publishes to each of the channels. */
    public record Spec(List<String> channels, List<PostedMessage> messages) {

        public Spec {
            channels = List.copyOf(channels);
            messages = List.copyOf(messages);
        }

        /** Returns the messages without connection keys. */
        public List<Message> plain() {
            return messages.stream().map(PostedMessage::message).toList();
        }
    }

    public PostedBatch {
        specs = List.copyOf(specs);
    }
}
