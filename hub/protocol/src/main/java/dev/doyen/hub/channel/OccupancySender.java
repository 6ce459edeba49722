package dev.doyen.hub.channel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sends the occupancy of channels to the attachments that requested it.
 *
 * <p>An attachment receives the occupancy when it attaches. Later it receives the changed occupancy, at most once per
 * {@link #INTERVAL}. The history does not contain these messages.
 */
public final class OccupancySender {

    /**
     * The minimum time between two messages about a channel. If ten thousand clients attach within this time, each
     * receiver gets a single message.
     */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final String NAME = "[meta]occupancy";

    private final Timers timers;
    private final Function<Channel, Occupancy> counting;

    /**
     * @param counting the function that counts the users of a channel on all nodes
     */
    OccupancySender(Timers timers, Function<Channel, Occupancy> counting) {
        this.timers = timers;
        this.counting = counting;
    }

    /** Schedules a message about a channel whose attachments, modes or members have changed. */
    public void changed(StepContext step, Channel channel) {
        if (channel.watchers.isEmpty() || channel.occupancyDue != null) {
            return;
        }
        long allowed = channel.occupancySentNanos + INTERVAL.toNanos();
        boolean early = channel.occupancySent != null && allowed - step.nanos() > 0;
        channel.occupancyDue = timers.set(early ? allowed : step.nanos(), later -> announce(later, channel));
    }

    /** Sends the current occupancy to one attachment. */
    public void send(StepContext step, Attachment attachment) {
        if (attachment.watch != null && attachment.has(Flags.SUBSCRIBE)) {
            ObjectNode data = attachment.watch.of(counting.apply(attachment.channel));
            step.send(attachment.connection, frame(step, attachment.channel, attachment.spelling, data));
        }
    }

    private void announce(StepContext step, Channel channel) {
        channel.occupancyDue = null;
        Occupancy before = channel.occupancySent;
        Occupancy now = counting.apply(channel);
        channel.occupancySent = now;
        channel.occupancySentNanos = step.nanos();
        Map<FrameGroup, List<Connection>> receivers = new LinkedHashMap<>();
        for (Attachment attachment : channel.watchers) {
            OccupancyWatch watch = attachment.watch;
            if (watch != null && attachment.has(Flags.SUBSCRIBE)) {
                receivers
                        .computeIfAbsent(new FrameGroup(attachment.spelling, watch), group -> new ArrayList<>())
                        .add(attachment.connection);
            }
        }
        receivers.forEach((group, to) -> {
            ObjectNode data = group.watch().of(now);
            if (before == null || !data.equals(group.watch().of(before))) {
                step.fanOut(to, frame(step, channel, group.spelling(), data));
            }
        });
    }

    /** A group of receivers with the same spelling and the same metrics. They share one frame. */
    private record FrameGroup(String spelling, OccupancyWatch watch) {}

    private static ProtocolMessage frame(StepContext step, Channel channel, String spelling, ObjectNode data) {
        String serial = channel.serials.passing(step);
        String id = ChannelSerials.hubMadeId(serial);
        Message message = Message.of(NAME, Data.NONE)
                .withData(Data.text(data.toString()), "json")
                .withId(id + ":0")
                .withSerial(ChannelSerials.ofItem(serial, 0));
        return ProtocolMessage.builder(Action.MESSAGE)
                .id(id)
                .channel(spelling)
                .channelSerial(serial)
                .timestamp(step.wallMillis())
                .messages(List.of(message))
                .build();
    }
}
