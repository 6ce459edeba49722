package dev.doyen.hub.nodes;

import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.history.History;
import dev.doyen.hub.presence.MemberEvents;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.List;

/** Applies changes to channels and sends the frames to this node's clients. */
public final class Changes {

    private final Channels channels;
    private final MemberEvents members;

    public Changes(Channels channels, MemberEvents members) {
        this.channels = channels;
        this.members = members;
    }

    /**
     * Applies a change. Returns the published messages with their serials, or an empty list if the change publishes
     * nothing.
     */
    List<Message> happen(StepContext step, Change change) {
        if (change instanceof Change.Published published) {
            return publish(step, published);
        }
        if (change instanceof Change.Presented presented) {
            members.present(step, presented.frame());
        } else if (change instanceof Change.Left left) {
            members.leave(step, left);
        } else if (change instanceof Change.Demoted demoted) {
            members.demote(step, demoted);
        }
        return List.of();
    }

    private List<Message> publish(StepContext step, Change.Published published) {
        Channel channel = published.channel();
        Connection publisher = published.connection();
        String before = channel.serials.last();
        String channelSerial = channel.serials.next(step);
        var stamped = new ArrayList<Message>(published.messages().size());
        int size = 0;
        for (Message message : published.messages()) {
            size += History.size(message, message.clientId());
            stamped.add(message.withSerial(ChannelSerials.ofItem(channelSerial, stamped.size())));
        }
        var frame = ProtocolMessage.builder(Action.MESSAGE)
                .id(published.idBase())
                .connectionId(publisher == null ? null : publisher.id)
                .channel(channel.name)
                .channelSerial(channelSerial)
                .timestamp(step.logMillis())
                .messages(stamped)
                .build();
        channels.record(step, channel, frame, channelSerial, before, size);
        boolean echoes = publisher == null || publisher.receivesEcho();
        channel.deliver(step, Flags.SUBSCRIBE, frame, echoes ? null : publisher, null);
        return stamped;
    }
}
