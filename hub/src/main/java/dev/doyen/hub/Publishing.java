package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Utf8;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** MESSAGE: checked whole, then published whole, or refused to its sender alone (rule C12). */
final class Publishing {

    private static final int MAX_ID_LENGTH = 255;
    private static final int MAX_ENCODING_LENGTH = 255;

    private final HubSettings settings;
    private final Channels channels;
    private final Fences fences;

    Publishing(HubSettings settings, Channels channels, Fences fences) {
        this.settings = settings;
        this.channels = channels;
        this.fences = fences;
    }

    void receive(Turn turn, Receipt receipt, ProtocolMessage request) {
        try {
            ChannelName name = ChannelName.parse(request.channel(), settings);
            List<Message> messages = checked(receipt, name, request);
            Channel channel = channels.open(turn, name.name());
            try {
                Optional<List<String>> repeated = repeated(channel, messages);
                receipt.ack(turn, repeated.isPresent() ? repeated.get() : publish(turn, receipt, channel, messages));
            } finally {
                channels.settle(turn, channel);
            }
        } catch (Refusal refusal) {
            receipt.nack(turn, refusal.error());
        }
    }

    private List<Message> checked(Receipt receipt, ChannelName name, ProtocolMessage request) throws Refusal {
        Connection connection = receipt.connection;
        Attachment attachment = connection.attachments.get(name.spelling());
        if (attachment != null && !attachment.has(Flags.PUBLISH)) {
            throw new Refusal(
                    ErrorCode.MODE_NOT_REQUESTED,
                    "the channel " + Quote.of(name.name()) + " was attached without the mode publish");
        }
        List<Message> given = request.messages() == null ? List.of() : request.messages();
        if (given.isEmpty()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "the MESSAGE frame has no messages");
        }
        Channel channel = channels.find(name.name());
        var checked = new ArrayList<Message>(given.size());
        int size = 0;
        for (int i = 0; i < given.size(); i++) {
            Message message = given.get(i);
            checkShape(message);
            String clientId = ClientIds.resolve(connection, message.clientId(), settings);
            size += size(message, clientId);
            fences.check(name.name(), channel, connection, clientId, message.extras());
            String id = message.id() == null ? connection.id + ":" + receipt.msgSerial + ":" + i : message.id();
            checked.add(message.withId(id).withClientId(clientId));
        }
        if (size > settings.maxMessageBytes()) {
            throw new Refusal(
                    ErrorCode.MESSAGE_TOO_BIG,
                    "the publish has " + size + " bytes of name, data, client id and extras; at most "
                            + settings.maxMessageBytes() + " are allowed");
        }
        return checked;
    }

    private static void checkShape(Message message) throws Refusal {
        Extras.check(message.extras());
        if (message.action() != null && message.action() != 0) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the message action is " + message.action() + "; this hub only creates messages, action 0");
        }
        if (message.id() != null && (message.id().isEmpty() || message.id().length() > MAX_ID_LENGTH)) {
            throw new Refusal(
                    ErrorCode.BAD_MESSAGE_ID,
                    "the message id has " + message.id().length() + " characters; give 1 to " + MAX_ID_LENGTH);
        }
        checkEncoding(message.encoding());
    }

    /** Shared with presence: an encoding is a short list of steps, and is not counted against the message's size. */
    static void checkEncoding(@Nullable String encoding) throws Refusal {
        if (encoding != null && encoding.length() > MAX_ENCODING_LENGTH) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "the encoding has " + encoding.length() + " characters; at most " + MAX_ENCODING_LENGTH
                            + " are allowed");
        }
    }

    private static int size(Message message, @Nullable String clientId) {
        return (message.name() == null ? 0 : Utf8.length(message.name()))
                + message.data().size()
                + (clientId == null ? 0 : Utf8.length(clientId))
                + Extras.size(message.extras());
    }

    /** The serials of messages that were all published before, under the same ids: publishing is idempotent. */
    private Optional<List<String>> repeated(Channel channel, List<Message> messages) throws Refusal {
        var ids = new HashSet<String>();
        var serials = new ArrayList<String>();
        for (Message message : messages) {
            String id = Objects.requireNonNull(message.id(), "checked messages have ids");
            if (!ids.add(id)) {
                throw new Refusal(
                        ErrorCode.BAD_MESSAGE_ID, "the message id " + Quote.of(id) + " comes twice in a frame");
            }
            channel.history.serialOf(id).ifPresent(serials::add);
        }
        if (!serials.isEmpty() && serials.size() < messages.size()) {
            throw new Refusal(
                    ErrorCode.BAD_MESSAGE_ID,
                    serials.size() + " of " + messages.size()
                            + " messages were published before; send the frame as it was, or new ids");
        }
        return serials.isEmpty() ? Optional.empty() : Optional.of(serials);
    }

    private List<String> publish(Turn turn, Receipt receipt, Channel channel, List<Message> messages) {
        Connection publisher = receipt.connection;
        String before = channel.serials.last();
        String channelSerial = channel.serials.next(turn.wallMillis());
        var stamped = new ArrayList<Message>(messages.size());
        var serials = new ArrayList<String>(messages.size());
        int size = 0;
        for (Message message : messages) {
            String index = Integer.toString(stamped.size());
            String serial = channelSerial + ":" + "0".repeat(Math.max(0, 3 - index.length())) + index;
            serials.add(serial);
            size += size(message, message.clientId());
            stamped.add(new Message(
                    message.id(),
                    message.name(),
                    message.data(),
                    message.encoding(),
                    message.clientId(),
                    null,
                    null,
                    message.extras(),
                    null,
                    serial));
        }
        var frame = ProtocolMessage.builder(Action.MESSAGE)
                .id(publisher.id + ":" + receipt.msgSerial)
                .connectionId(publisher.id)
                .channel(channel.name)
                .channelSerial(channelSerial)
                .timestamp(turn.wallMillis())
                .messages(stamped)
                .build();
        channels.record(turn, channel, frame, channelSerial, before, size);
        channel.deliver(turn, Flags.SUBSCRIBE, frame, publisher.wantsEcho() ? null : publisher, null);
        return serials;
    }
}
