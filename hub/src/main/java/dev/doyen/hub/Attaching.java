package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** ATTACH, DETACH and SYNC. ATTACHED always comes before the messages it announces; SDKs drop what comes earlier. */
final class Attaching {

    private final HubSettings settings;
    private final Channels channels;
    private final Departures departures;
    private final Syncs syncs;
    private final States states;

    Attaching(HubSettings settings, Channels channels, Departures departures, Syncs syncs, States states) {
        this.settings = settings;
        this.channels = channels;
        this.departures = departures;
        this.syncs = syncs;
        this.states = states;
    }

    void attach(Turn turn, Connection connection, ProtocolMessage request) {
        try {
            ChannelName name = ChannelName.parse(request.channel(), settings);
            Map<String, String> params = params(name, request);
            int allowed = Permissions.modes(connection.access, name.name());
            int asked = Modes.asked(params.get(Modes.PARAM), request.flagBits());
            int modes = Modes.granted(asked, allowed);
            Rewind rewind = Rewind.read(params);
            OccupancyWatch watch = OccupancyWatch.read(params);
            Attachment known = connection.attachments.get(name.spelling());
            if (known == null) {
                checkRoom(connection);
                Channel channel = channels.open(turn, name.name());
                var attachment = new Attachment(connection, channel, name.spelling(), asked, modes);
                connection.attachments.put(name.spelling(), attachment);
                channel.attachments.add(attachment);
                channel.watch(attachment, watch);
                channels.settle(turn, channel);
                begin(turn, attachment, request, rewind, params);
            } else {
                // The stream to this attachment was never broken, so nothing can have been missed.
                known.asked = asked;
                known.modes = modes;
                known.channel.watch(known, watch);
                channels.settle(turn, known.channel);
                var start = new Start(known.channel.serials.last(), List.of(), Flags.RESUMED, null);
                attached(turn, known, params, start);
            }
        } catch (Refusal refusal) {
            failed(turn, connection, request, refusal.error());
        }
    }

    void detach(Turn turn, Connection connection, ProtocolMessage request) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null) {
            departures.detach(turn, attachment);
        }
        turn.send(
                connection,
                ProtocolMessage.builder(Action.DETACHED)
                        .channel(spelling(request))
                        .build());
    }

    /** A client asks who is present. Without an attachment that may know there is nobody to tell, so nothing is said. */
    void sync(Turn turn, Connection connection, ProtocolMessage request) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null && attachment.has(Flags.PRESENCE_SUBSCRIBE)) {
            syncs.send(turn, attachment);
        }
    }

    /** Where an attachment begins: its serial, what it is sent at once, and whether that is all it missed. */
    private record Start(
            String serial,
            List<ProtocolMessage> backlog,
            int flags,
            @Nullable ErrorInfo error) {}

    private void begin(
            Turn turn, Attachment attachment, ProtocolMessage request, Rewind rewind, Map<String, String> params) {
        Channel channel = attachment.channel;
        History history = channel.history;
        String last = channel.serials.last();
        String since = request.channelSerial();
        if (since != null && !since.isEmpty()) {
            Optional<List<ProtocolMessage>> missed = history.since(since);
            if (missed.isPresent()) {
                // The old serial, until the replay has moved it on: a socket lost in between must not lose the replay.
                String serial = missed.get().isEmpty() ? last : since;
                attached(turn, attachment, params, new Start(serial, missed.get(), Flags.RESUMED, null));
            } else {
                String sentence = "messages on " + Quote.of(channel.name)
                        + " may have been missed: the serial given is not, or no longer, in the channel's history";
                var error = ErrorCode.CONTINUITY_LOST.because(sentence);
                attached(turn, attachment, params, new Start(last, List.of(), 0, error));
            }
        } else if ((request.flagBits() & Flags.ATTACH_RESUME) != 0 || rewind.count() == 0) {
            attached(turn, attachment, params, new Start(last, List.of(), 0, null));
        } else {
            History.Tail tail = history.tail(rewind.count(), rewind.nanos(), turn.nanos());
            attached(turn, attachment, params, new Start(tail.from(), tail.frames(), 0, null));
        }
    }

    private void attached(Turn turn, Attachment attachment, Map<String, String> params, Start start) {
        Connection connection = attachment.connection;
        List<ProtocolMessage> backlog =
                attachment.has(Flags.SUBSCRIBE) ? heard(connection, start.backlog()) : List.of();
        boolean sync = attachment.has(Flags.PRESENCE_SUBSCRIBE) && !attachment.channel.members.isEmpty();
        int flags = attachment.modes
                | start.flags()
                | (backlog.isEmpty() ? 0 : Flags.HAS_BACKLOG)
                | (sync ? Flags.HAS_PRESENCE : 0);
        turn.send(
                connection,
                ProtocolMessage.builder(Action.ATTACHED)
                        .channel(attachment.spelling)
                        .channelSerial(start.serial())
                        .flags(flags)
                        .params(params.isEmpty() ? null : params)
                        .error(start.error())
                        .build());
        for (ProtocolMessage frame : backlog) {
            turn.send(connection, frame.withChannel(attachment.spelling));
        }
        states.tell(turn, attachment);
        if (sync) {
            syncs.send(turn, attachment);
        }
        channels.occupancy().tell(turn, attachment);
    }

    /** A connection that wants no echo does not get its own messages later either. */
    private static List<ProtocolMessage> heard(Connection connection, List<ProtocolMessage> frames) {
        return connection.wantsEcho()
                ? frames
                : frames.stream()
                        .filter(frame -> !Objects.equals(frame.connectionId(), connection.id))
                        .toList();
    }

    /** To the client the channel has failed, so it is no longer attached. */
    private void failed(Turn turn, Connection connection, ProtocolMessage request, ErrorInfo error) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null) {
            departures.detach(turn, attachment);
        }
        turn.send(
                connection,
                ProtocolMessage.builder(Action.ERROR)
                        .channel(spelling(request))
                        .error(error)
                        .build());
    }

    private void checkRoom(Connection connection) throws Refusal {
        if (connection.attachments.size() >= settings.maxAttachmentsPerConnection()) {
            throw new Refusal(
                    ErrorCode.TOO_MANY_CHANNELS,
                    "the connection is attached to " + connection.attachments.size()
                            + " channels, its limit; detach from one first");
        }
    }

    /** The parameters the hub knows, the frame's own before the qualifier's. Only these are sent back. */
    private static Map<String, String> params(ChannelName name, ProtocolMessage request) {
        var all = new LinkedHashMap<>(name.params());
        if (request.params() != null) {
            all.putAll(request.params());
        }
        all.keySet().retainAll(List.of(Modes.PARAM, Rewind.PARAM, Rewind.LIMIT_PARAM, OccupancyWatch.PARAM));
        return all;
    }

    private static String spelling(ProtocolMessage request) {
        return request.channel() == null ? "" : request.channel();
    }
}
