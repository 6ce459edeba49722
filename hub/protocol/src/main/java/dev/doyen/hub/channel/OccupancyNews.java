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
 * Sends the occupancy of channels to attachments that asked for it.
 *
 * <p>An attachment receives it when it attaches and after changes, at most once per {@link #INTERVAL}. These messages
 * are not in the history.
 */
public final class OccupancyNews {

    /** Combines ten thousand attachments within a second into one message. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final String NAME = "[meta]occupancy";

    private final Timers timers;
    private final Function<Channel, Occupancy> counting;

    /** @param counting counts the users of a channel on all nodes */
    OccupancyNews(Timers timers, Function<Channel, Occupancy> counting) {
        this.timers = timers;
        this.counting = counting;
    }

    /** Schedules a message after attachments, their modes or members have changed. */
    public void changed(StepContext step, Channel channel) {
        if (channel.watchers.isEmpty() || channel.occupancyDue != null) {
            return;
        }
        long allowed = channel.occupancyToldNanos + INTERVAL.toNanos();
        boolean early = channel.occupancyTold != null && allowed - step.nanos() > 0;
        channel.occupancyDue = timers.set(early ? allowed : step.nanos(), later -> announce(later, channel));
    }

    /** Sends the current occupancy to one attachment. */
    public void send(StepContext step, Attachment attachment) {
        if (attachment.watch != null && attachment.has(Flags.SUBSCRIBE)) {
            ObjectNode news = attachment.watch.of(counting.apply(attachment.channel));
            step.send(attachment.connection, frame(step, attachment.channel, attachment.spelling, news));
        }
    }

    private void announce(StepContext step, Channel channel) {
        channel.occupancyDue = null;
        Occupancy before = channel.occupancyTold;
        Occupancy now = counting.apply(channel);
        channel.occupancyTold = now;
        channel.occupancyToldNanos = step.nanos();
        Map<News, List<Connection>> receivers = new LinkedHashMap<>();
        for (Attachment attachment : channel.watchers) {
            OccupancyWatch watch = attachment.watch;
            if (watch != null && attachment.has(Flags.SUBSCRIBE)) {
                receivers
                        .computeIfAbsent(new News(attachment.spelling, watch), news -> new ArrayList<>())
                        .add(attachment.connection);
            }
        }
        receivers.forEach((news, to) -> {
            ObjectNode told = news.watch().of(now);
            if (before == null || !told.equals(news.watch().of(before))) {
                step.fanOut(to, frame(step, channel, news.spelling(), told));
            }
        });
    }

    /** Receivers with the same spelling and the same metrics share one frame. */
    private record News(String spelling, OccupancyWatch watch) {}

    private static ProtocolMessage frame(StepContext step, Channel channel, String spelling, ObjectNode news) {
        String serial = channel.serials.passing(step);
        String id = ChannelSerials.hubMadeId(serial);
        Message message = Message.of(NAME, Data.NONE)
                .withData(Data.text(news.toString()), "json")
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
