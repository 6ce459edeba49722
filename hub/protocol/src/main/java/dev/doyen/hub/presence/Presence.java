package dev.doyen.hub.presence;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.ClientIds;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.auth.Permissions;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.PresenceCapacity;
import dev.doyen.hub.channel.PresenceFrame;
import dev.doyen.hub.channel.PresenceId;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.claim.Claims;
import dev.doyen.hub.content.ChannelName;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import dev.doyen.hub.wire.Utf8;
import dev.doyen.text.ElectionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Handles PRESENCE frames. The hub applies or rejects all entries of a frame together. Only the sender receives a
 * rejection (rule C12).
 *
 * <p>The connection need not be attached, because older SDKs send PRESENCE before they attach. If a frame contains a
 * claim, the hub applies the frame when the claim is granted.
 */
public final class Presence {

    private final HubSettings settings;
    private final PresenceCapacity capacity;
    private final Channels channels;
    private final MemberEvents events;
    private final Log log;
    private final Claims claims;

    public Presence(HubSettings settings, Channels channels, MemberEvents events, Log log, Claims claims) {
        this.settings = settings;
        this.capacity = new PresenceCapacity(settings, channels);
        this.channels = channels;
        this.events = events;
        this.log = log;
        this.claims = claims;
    }

    public void receive(StepContext step, Receipt receipt, ProtocolMessage request) {
        try {
            ChannelName name = ChannelName.parse(request.channel(), receipt.connection.access, settings);
            List<PresenceFrame.Entry> entries = checked(receipt.connection, name, request);
            Channel channel = channels.open(step, name.name(), receipt.connection.usage);
            var frame = new PresenceFrame(receipt.connection, channel, name.spelling(), receipt.msgSerial, entries);
            try {
                decide(step, frame, receipt);
            } catch (Refusal refusal) {
                channel.formerHolders.addRejected(frame);
                throw refusal;
            } finally {
                channels.settle(step, channel);
            }
        } catch (Refusal refusal) {
            receipt.nack(step, refusal.error());
        }
    }

    private void decide(StepContext step, PresenceFrame frame, Receipt receipt) throws Refusal {
        capacity.check(frame);
        Map<String, Set<String>> claimants = frame.claimants();
        if (claimants.size() > 1) {
            throw new Refusal(
                    ErrorCode.CLAIM_HELD,
                    "the frame claims for " + claimants.size() + " members; at most one can claim in a frame on "
                            + Quote.of(frame.channel().name));
        }
        for (var claimant : claimants.entrySet()) {
            if (claimant.getValue().size() > 1) {
                throw new Refusal(
                        ErrorCode.CLAIM_HELD,
                        "the frame claims " + String.join(" and ", claimant.getValue()) + " for one member of "
                                + Quote.of(frame.channel().name) + "; a member holds one claim at most");
            }
            claims.checkFree(step, frame, claimant.getKey(), slotOf(claimant.getValue()));
        }
        // The statements below throw no refusal. So a frame that was rejected above has changed nothing.
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (!claimants.containsKey(entry.clientId()) && !events.isStale(frame, entry)) {
                claims.withdraw(
                        step,
                        frame.channel(),
                        frame.connection(),
                        entry.clientId(),
                        "its member sent another presence event");
                claims.received(step, frame, entry.clientId());
                // On several nodes this node reads the frame later, but a message can follow the frame at once.
                frame.channel().formerHolders.received(frame.connection(), entry);
            }
        }
        if (claimants.isEmpty()) {
            log.append(step, new Change.Presented(frame, null), receipt);
        } else {
            var claimant = claimants.entrySet().iterator().next();
            claims.request(step, frame, receipt, claimant.getKey(), slotOf(claimant.getValue()));
        }
    }

    private static String slotOf(Set<String> claimed) {
        return claimed.iterator().next();
    }

    private List<PresenceFrame.Entry> checked(Connection connection, ChannelName name, ProtocolMessage request)
            throws Refusal {
        Permissions.require(connection.access, name.name(), Operation.PRESENCE);
        Attachment attachment = connection.attachments.get(name.spelling());
        if (attachment != null && !attachment.has(Flags.PRESENCE)) {
            throw new Refusal(
                    ErrorCode.MODE_NOT_REQUESTED,
                    "the channel " + Quote.of(name.name()) + " was attached without the mode presence");
        }
        List<PresenceMessage> given = request.presence() == null ? List.of() : request.presence();
        if (given.isEmpty()) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "the PRESENCE frame has no members");
        }
        ChannelRule rule = settings.channelRules().of(name.name());
        var entries = new ArrayList<PresenceFrame.Entry>(given.size());
        int size = 0;
        for (PresenceMessage message : given) {
            PresenceFrame.Entry entry = entry(connection, message, rule);
            if (entry.claim() != null) {
                Permissions.require(connection.access, name.name(), Operation.LEAD);
                checkElection(name.name(), rule, entry.claim().slot());
            }
            entries.add(entry);
            size += Utf8.length(entry.clientId()) + message.data().size() + Extras.size(message.extras());
        }
        if (size > settings.maxMessageBytes()) {
            throw new Refusal(
                    ErrorCode.MESSAGE_TOO_BIG,
                    "the PRESENCE frame has " + size + " bytes of client id, data and extras; at most "
                            + settings.maxMessageBytes() + " are allowed");
        }
        return entries;
    }

    /**
     * Rejects a claim on a channel whose name is not valid for an election. Elections have stricter rules for names
     * than channels.
     */
    private static void checkElection(String channel, ChannelRule rule, String slot) throws Refusal {
        try {
            int count = rule.slots().getOrDefault(slot, 1);
            ElectionNames.checkElection(new Slot(slot, count).electionOn(channel));
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    ErrorCode.BAD_CHANNEL_NAME,
                    "nobody can claim on channel " + Quote.of(channel) + ": the " + e.getMessage());
        }
    }

    private PresenceFrame.Entry entry(Connection connection, PresenceMessage message, ChannelRule rule) throws Refusal {
        if (message.action() == PresenceAction.ABSENT) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "a client cannot send ABSENT; send LEAVE");
        }
        String clientId =
                ClientIds.resolve("connection", connection.clientId, message.clientId(), settings.clientIdRule());
        if (clientId == null) {
            throw Access.ANYBODY.equals(connection.clientId)
                    ? new Refusal(
                            ErrorCode.BAD_CLIENT_ID,
                            "presence needs a client id; connect with one, or name one in the message")
                    : new Refusal(ErrorCode.NO_CLIENT_ID, "presence needs a client id; ask for a token with one");
        }
        Extras.check(message.extras());
        Extras.checkEncoding(message.encoding());
        boolean leaves = message.action() == PresenceAction.LEAVE;
        return new PresenceFrame.Entry(
                clientId,
                // Only the hub may set the term (rule C4).
                message.withExtras(Extras.withoutClaim(message.extras())),
                PresenceId.ofOwn(message.id(), connection),
                leaves
                        ? null
                        : ClaimData.read(message.data(), message.encoding(), rule, settings)
                                .orElse(null));
    }
}
