package dev.doyen.hub.publish;

import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.auth.Permissions;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.claim.States;
import dev.doyen.hub.content.ChannelName;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.history.History;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Handles MESSAGE frames. The hub publishes or rejects all messages of a frame together. Only the sender receives a
 * rejection (rule C12).
 */
public final class Publishing {

    private static final int MAX_ID_LENGTH = 255;

    private final HubSettings settings;
    private final Channels channels;
    private final Fences rules;
    private final States states;
    private final Log log;

    public Publishing(HubSettings settings, Channels channels, Fences rules, States states, Log log) {
        this.settings = settings;
        this.channels = channels;
        this.rules = rules;
        this.states = states;
        this.log = log;
    }

    public void receive(StepContext step, Receipt receipt, ProtocolMessage request) {
        try {
            ChannelName name = ChannelName.parse(request.channel(), receipt.connection.access, settings);
            Permissions.require(receipt.connection.access, name.name(), Operation.PUBLISH);
            Attachment attachment = receipt.connection.attachments.get(name.spelling());
            if (attachment != null && !attachment.has(Flags.PUBLISH)) {
                throw new Refusal(
                        ErrorCode.MODE_NOT_REQUESTED,
                        "the channel " + Quote.of(name.name()) + " was attached without the mode publish");
            }
            List<Message> messages = request.messages() == null ? List.of() : request.messages();
            if (messages.stream().anyMatch(States::isSave)) {
                save(step, receipt, name, messages);
            } else {
                publish(step, name, Sender.of(receipt), messages, receipt);
            }
        } catch (Refusal refusal) {
            receipt.nack(step, refusal.error());
        }
    }

    /**
     * Publishes all messages, or rejects all of them. Messages with known ids are not published again.
     *
     * <p>Throws a {@link Refusal} if the hub can reject the messages at once. The outcome receives later rejections.
     */
    public void publish(StepContext step, ChannelName name, Sender sender, List<Message> given, Log.Outcome outcome)
            throws Refusal {
        Set<Change.Fence> fences = new LinkedHashSet<>();
        List<Message> messages = checked(name, sender, given, fences);
        Channel channel = channels.open(step, name.name(), sender.usage());
        try {
            Optional<List<Message>> repeated = repeated(channel, messages);
            if (repeated.isPresent()) {
                outcome.done(step, repeated.get());
            } else {
                var published = new Change.Published(
                        channel,
                        sender.connection(),
                        sender.msgSerial(),
                        sender.idBase(),
                        messages,
                        List.copyOf(fences));
                log.append(step, published, outcome);
            }
        } finally {
            channels.settle(step, channel);
        }
    }

    /**
     * @param fences the set to which this method adds the claims that permit the messages
     */
    private List<Message> checked(ChannelName name, Sender sender, List<Message> given, Set<Change.Fence> fences)
            throws Refusal {
        if (given.isEmpty()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "there are no messages to publish");
        }
        Channel channel = channels.find(name.name());
        var checked = new ArrayList<Message>(given.size());
        int size = 0;
        for (Message message : given) {
            checkShape(message);
            if (States.isSave(message)) {
                throw new Refusal(
                        ErrorCode.BAD_REQUEST,
                        "a message named " + message.name()
                                + " saves state, and is accepted only from the holder's connection");
            }
            String clientId = sender.resolveClientId(message.clientId(), settings);
            size += History.size(message, clientId);
            if (sender.connection() == null) {
                rules.checkWithoutConnection(name.name(), message.extras());
            } else {
                rules.check(name.name(), channel, sender.connection(), clientId, message.extras())
                        .ifPresent(fences::add);
            }
            String id = message.id() == null ? Message.idAt(checked.size(), sender.idBase()) : message.id();
            checked.add(message.withId(id).withClientId(clientId));
        }
        checkSize(size);
        return checked;
    }

    /** Saves the state for the next holder (rule C17). No other client receives the message. */
    private void save(StepContext step, Receipt receipt, ChannelName name, List<Message> messages) throws Refusal {
        States.check(messages, name.name());
        Message message = messages.get(0);
        checkShape(message);
        String clientId = Sender.of(receipt).resolveClientId(message.clientId(), settings);
        checkSize(History.size(message, clientId));
        Channel channel = channels.find(name.name());
        SlotClaim claim = rules.holder(name.name(), channel, receipt.connection, clientId, message.extras());
        states.save(step, receipt, claim, message);
    }

    private void checkSize(int size) throws Refusal {
        if (size > settings.maxMessageBytes()) {
            throw new Refusal(
                    ErrorCode.MESSAGE_TOO_BIG,
                    "the publish has " + size + " bytes of name, data, client id and extras; at most "
                            + settings.maxMessageBytes() + " are allowed");
        }
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
        Extras.checkEncoding(message.encoding());
    }

    /**
     * Implements idempotent publishing. Returns the old serials if all ids were already published. Throws a
     * {@link Refusal} if only some ids were already published, or if an id occurs twice.
     */
    private Optional<List<Message>> repeated(Channel channel, List<Message> messages) throws Refusal {
        var ids = new HashSet<String>();
        var former = new ArrayList<Message>();
        for (Message message : messages) {
            String id = Objects.requireNonNull(message.id(), "checked messages have ids");
            if (!ids.add(id)) {
                throw new Refusal(
                        ErrorCode.BAD_MESSAGE_ID, "the message id " + Quote.of(id) + " comes twice in a publish");
            }
            channel.history.serialOf(id).ifPresent(serial -> former.add(message.withSerial(serial)));
        }
        if (!former.isEmpty() && former.size() < messages.size()) {
            throw new Refusal(
                    ErrorCode.BAD_MESSAGE_ID,
                    former.size() + " of " + messages.size()
                            + " messages were published before; repeat all of them unchanged, or use new ids");
        }
        return former.isEmpty() ? Optional.empty() : Optional.of(former);
    }
}
