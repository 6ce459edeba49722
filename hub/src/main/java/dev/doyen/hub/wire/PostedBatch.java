package dev.doyen.hub.wire;

import java.util.List;

/**
 * The body of a publish to many channels.
 *
 * @param listed whether the specs came as a list; one may come alone
 */
public record PostedBatch(List<Spec> specs, boolean listed) {

    /** These messages, to each of these channels. */
    public record Spec(List<String> channels, List<PostedMessage> messages) {

        public Spec {
            channels = List.copyOf(channels);
            messages = List.copyOf(messages);
        }

        /** The messages without what they say of connections. */
        public List<Message> plain() {
            return messages.stream().map(PostedMessage::message).toList();
        }
    }

    public PostedBatch {
        specs = List.copyOf(specs);
    }
}
