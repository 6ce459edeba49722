package dev.doyen.hub.wire;

import java.util.List;

/**
 * The body of a publish request for several channels.
 *
 * @param listed whether the specs came as a list; a single one may come alone
 */
public record PostedBatch(List<Spec> specs, boolean listed) {

    /** Messages for each of the channels. */
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
