package dev.doyen.hub.presence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Demotion;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.channel.PresenceFrame;
import dev.doyen.hub.channel.PresenceId;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes the presence set of a channel and sends the events.
 *
 * <p>The presence set and the events depend only on the log entries, so they are the same on all nodes.
 *
 * <p>SDKs compare two events of a member by the numbers in their ids if both ids start with the connection id. SDKs
 * compare all other events by time. An event that the hub makes therefore has an id that does not start with the
 * connection id, and a time after all earlier events.
 */
public final class MemberEvents {

    private final Timers timers;
    private final Channels channels;

    public MemberEvents(Timers timers, Channels channels) {
        this.timers = timers;
        this.channels = channels;
    }

    /**
     * Applies a PRESENCE frame. If the frame contains a claim, the store has already granted it. The frame ends a claim
     * of the connection if the new data of the holder contains no claim.
     */
    public void present(StepContext step, PresenceFrame frame) {
        Channel channel = frame.channel();
        supersede(step, frame);
        long millis = channel.clientEventMillis(step.logMillis());
        var events = new ArrayList<PresenceMessage>();
        for (int i = 0; i < frame.entries().size(); i++) {
            PresenceFrame.Entry entry = frame.entries().get(i);
            var id = new PresenceId(frame.msgSerial(), i);
            PresenceMessage event = entry.leaves() ? left(frame, entry, id, millis) : present(frame, entry, id, millis);
            if (event != null) {
                events.add(event);
            }
            channel.formerHolders.received(frame.connection(), entry);
        }
        if (!events.isEmpty()) {
            Connection connection = frame.connection();
            var message = presence(
                            step, channel, channel.serials.next(step), connection.id + ":" + frame.msgSerial(), events)
                    .connectionId(connection.id)
                    .build();
            // The sender always receives its own events, even if it is not attached, because its SDK updates its
            // list of members by these events.
            if (mayBeHeld(frame) && channel.storm.holds(step, timers)) {
                step.send(connection, message.withChannel(frame.spelling()));
                channel.storm.hold(step, message);
            } else {
                var publisher = new Channel.Also(connection, frame.spelling());
                channel.deliver(step, Flags.PRESENCE_SUBSCRIBE, message, null, publisher);
            }
        }
        channel.claims.endUnclaimed(step, timers, channel, frame.connection());
    }

    /**
     * Returns true if an entry only repeats a known event.
     *
     * <p>SDKs enter their members again after every attach, with the id of the last state that they received. An entry
     * with a claim is not stale if the member has no claim now.
     */
    boolean isStale(PresenceFrame frame, PresenceFrame.Entry entry) {
        Member member = frame.channel().member(frame.connection(), entry.clientId());
        return member != null
                && entry.message().action() == PresenceAction.ENTER
                && entry.suppliedId().isPresent()
                && entry.suppliedId().get().compareTo(member.ownId) <= 0
                && (entry.claim() == null || member.claim != null);
    }

    /** Removes all members of a connection from a channel. The connection's claims on that channel end. */
    public void leave(StepContext step, Change.Left left) {
        Channel channel = left.channel();
        var leaving = new ArrayList<Member>();
        for (Member member : left.connection().members) {
            if (member.channel == channel) {
                leaving.add(member);
            }
        }
        if (leaving.isEmpty()) {
            return;
        }
        boolean held = leaving.stream().allMatch(member -> member.claim == null) && channel.storm.holds(step, timers);
        long millis = channel.hubEventMillis(step.logMillis());
        String serial = channel.serials.next(step);
        String id = ChannelSerials.hubMadeId(serial);
        var events = new ArrayList<PresenceMessage>();
        for (Member member : leaving) {
            if (member.claim != null) {
                rememberHolder(member, member.claim);
            }
            channels.leave(member);
            events.add(member.event()
                    .withAction(PresenceAction.LEAVE)
                    .withId(id + ":0:" + events.size())
                    .withTimestamp(millis)
                    .withExtras(null));
        }
        var message = presence(step, channel, serial, id + ":0", events).build();
        if (held) {
            channel.storm.hold(step, message);
        } else {
            channel.deliver(step, Flags.PRESENCE_SUBSCRIBE, message, null, null);
        }
        channel.claims.endUnclaimed(step, timers, channel, left.connection());
    }

    /** Removes the claim from a member's data if the data contains a claim. */
    public void demote(StepContext step, Change.Demoted demoted) {
        Member member = demoted.channel().member(demoted.connection(), demoted.clientId());
        if (member != null && member.claim != null) {
            demote(step, member, member.claim, new Demotion(demoted.reason(), demoted.successor()));
        }
    }

    /**
     * Ends the claims of former holders of a slot that this frame claims (rule C2).
     *
     * <p>The store has granted the slot in a higher term. The former holder's node has not reported the end of the
     * claim, because that node is dead, frozen or late.
     */
    private void supersede(StepContext step, PresenceFrame frame) {
        for (PresenceFrame.Entry entry : frame.entries()) {
            JsonNode slot = Extras.slot(entry.message().extras());
            if (entry.claim() == null || slot == null) {
                continue;
            }
            long term = Extras.termOf(entry.message().extras());
            for (Member member : frame.channel().members.values()) {
                if (member.claim != null
                        && member.term() < term
                        && slot.equals(Extras.slot(member.event().extras()))
                        && !(member.connection == frame.connection() && member.clientId.equals(entry.clientId()))) {
                    String why = Quote.of(entry.clientId()) + " holds " + slot.asText() + " in term " + term;
                    demote(step, member, member.claim, new Demotion(why, ""));
                    frame.channel().claims.endUnclaimed(step, timers, frame.channel(), member.connection);
                }
            }
        }
    }

    private void demote(StepContext step, Member member, ClaimData claim, Demotion why) {
        Channel channel = member.channel;
        String serial = channel.serials.next(step);
        String id = ChannelSerials.hubMadeId(serial);
        rememberHolder(member, claim);
        member.claim = null;
        PresenceMessage event = member.event()
                .withAction(PresenceAction.UPDATE)
                .withId(id + ":0:0")
                .withTimestamp(channel.hubEventMillis(step.logMillis()))
                .withData(claim.released().data(), claim.released().encoding())
                .withExtras(Extras.demoted(member.event().extras(), why.why(), why.successor()));
        channels.update(member, event);
        var message = presence(step, channel, serial, id + ":0", List.of(event)).build();
        var owner = new Channel.Also(member.connection, member.spelling());
        channel.deliver(step, Flags.PRESENCE_SUBSCRIBE, message, null, owner);
    }

    /** Records that a member loses a bare claim which its own presence frame does not end (rule C21). */
    private static void rememberHolder(Member member, ClaimData claim) {
        if (claim.isBare()) {
            member.channel.formerHolders.add(member.connection.id, member.clientId);
        }
    }

    /**
     * Returns true if the events of a frame may be sent in a batch.
     *
     * <p>The result is false if the frame requests a claim, if its connection holds a claim on the channel, or if the
     * frame contains a LEAVE. A frame of a holder can end the claim. The sender receives its own LEAVE at once. If an
     * older, held event arrived after the LEAVE, the sender's SDK would treat that event as new.
     */
    private static boolean mayBeHeld(PresenceFrame frame) {
        return frame.claimants().isEmpty()
                && frame.entries().stream().noneMatch(PresenceFrame.Entry::leaves)
                && frame.channel().claims.heldBy(frame.connection()).isEmpty();
    }

    private @Nullable PresenceMessage left(PresenceFrame frame, PresenceFrame.Entry entry, PresenceId id, long millis) {
        Member member = frame.channel().member(frame.connection(), entry.clientId());
        if (member == null) {
            return null;
        }
        channels.leave(member);
        boolean silent = entry.message().data().equals(Data.NONE);
        return new PresenceMessage(
                PresenceAction.LEAVE,
                id.on(frame.connection()),
                member.clientId,
                frame.connection().id,
                silent ? member.event().data() : entry.message().data(),
                silent ? member.event().encoding() : entry.message().encoding(),
                millis,
                entry.message().extras());
    }

    private @Nullable PresenceMessage present(
            PresenceFrame frame, PresenceFrame.Entry entry, PresenceId own, long millis) {
        if (isStale(frame, entry)) {
            return null;
        }
        Channel channel = frame.channel();
        Connection connection = frame.connection();
        Member known = channel.member(connection, entry.clientId());
        // SDKs order the states of a member by id. An id that the client supplies can be old, so the hub uses it only
        // for a new member without a claim.
        PresenceId id = known != null || entry.claim() != null
                ? own
                : entry.suppliedId()
                        .filter(supplied -> supplied.compareTo(own) < 0)
                        .orElse(own);
        var event = new PresenceMessage(
                known == null ? PresenceAction.ENTER : PresenceAction.UPDATE,
                id.on(connection),
                entry.clientId(),
                connection.id,
                entry.message().data(),
                entry.message().encoding(),
                millis,
                entry.message().extras());
        Member member = known;
        if (member == null) {
            member = new Member(channel, connection, entry.clientId(), event, id, frame.spelling());
            channels.enter(member);
        } else {
            channels.update(member, event);
        }
        member.ownId = id;
        member.claim = entry.claim();
        member.spelled(frame.spelling());
        return event;
    }

    private ProtocolMessage.Builder presence(
            StepContext step, Channel channel, String serial, String id, List<PresenceMessage> events) {
        channels.recordPresence(step, channel, serial, events);
        return ProtocolMessage.builder(Action.PRESENCE)
                .id(id)
                .channel(channel.name)
                .channelSerial(serial)
                .timestamp(events.get(0).timestamp())
                .presence(events);
    }
}
