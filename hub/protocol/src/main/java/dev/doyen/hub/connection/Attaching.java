package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Permissions;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.OccupancyWatch;
import dev.doyen.hub.claim.States;
import dev.doyen.hub.content.ChannelName;
import dev.doyen.hub.history.History;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
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

/**
 * Handles ATTACH, DETACH and SYNC. The hub sends ATTACHED before the messages for the new attachment, because SDKs drop
 * messages that arrive before ATTACHED.
 */
public final class Attaching {

    /** The parameter of a client that accepts messages as differences. */
    private static final String DELTA_PARAM = "delta";

    private static final String DELTA_FORMAT = "vcdiff";

    private final HubSettings settings;
    private final Channels channels;
    private final Departures departures;
    private final Syncs syncs;
    private final States states;

    public Attaching(HubSettings settings, Channels channels, Departures departures, Syncs syncs, States states) {
        this.settings = settings;
        this.channels = channels;
        this.departures = departures;
        this.syncs = syncs;
        this.states = states;
    }

    void attach(StepContext step, Connection connection, ProtocolMessage request) {
        try {
            ChannelName name = ChannelName.parse(request.channel(), connection.access, settings);
            Map<String, String> params = params(name, request);
            int allowed = Permissions.modes(connection.access, name.name());
            int requested = Modes.requested(params.get(Modes.PARAM), request.flagBits());
            int modes = Modes.granted(requested, allowed);
            Rewind rewind = Rewind.read(params);
            checkDelta(params);
            OccupancyWatch watch = OccupancyWatch.read(params);
            Attachment known = connection.attachments.get(name.spelling());
            if (known == null) {
                checkRoom(connection);
                Channel channel = channels.open(step, name.name(), connection.usage);
                var attachment = new Attachment(connection, channel, name.spelling(), requested, modes);
                connection.attachments.put(name.spelling(), attachment);
                channel.attachments.add(attachment);
                channel.watch(attachment, watch);
                channels.settle(step, channel);
                begin(step, attachment, request, rewind, params);
            } else {
                // The attachment was not interrupted, so the client has missed nothing.
                known.requestedModes = requested;
                known.modes = modes;
                known.channel.watch(known, watch);
                channels.settle(step, known.channel);
                var start = new Start(known.channel.serials.last(), List.of(), Flags.RESUMED, null);
                attached(step, known, params, start);
            }
        } catch (Refusal refusal) {
            failed(step, connection, request, refusal.error());
        }
    }

    void detach(StepContext step, Connection connection, ProtocolMessage request) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null) {
            departures.detach(step, attachment);
        }
        step.send(
                connection,
                ProtocolMessage.builder(Action.DETACHED)
                        .channel(spelling(request))
                        .build());
    }

    /**
     * Sends the presence set to a client that asks for it. The hub ignores the request if the connection is not
     * attached to the channel, or if this attachment may not subscribe to presence.
     */
    void sync(StepContext step, Connection connection, ProtocolMessage request) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null && attachment.has(Flags.PRESENCE_SUBSCRIBE)) {
            syncs.send(step, attachment);
        }
    }

    /**
     * The data with which an attachment starts. The data are its serial, the past frames to send, flags, and an error
     * if the client has perhaps missed frames.
     */
    private record Start(
            String serial,
            List<ProtocolMessage> backlog,
            int flags,
            @Nullable ErrorInfo error) {}

    private void begin(
            StepContext step,
            Attachment attachment,
            ProtocolMessage request,
            Rewind rewind,
            Map<String, String> params) {
        Channel channel = attachment.channel;
        History history = channel.history;
        String last = channel.serials.last();
        String since = request.channelSerial();
        if (since != null && !since.isEmpty()) {
            Optional<List<ProtocolMessage>> missed = history.since(since);
            if (missed.isPresent()) {
                // Send the old serial; each replayed message then brings the client a newer serial. If the hub sent the
                // newest serial, a client that loses its socket during the replay would miss messages.
                String serial = missed.get().isEmpty() ? last : since;
                attached(step, attachment, params, new Start(serial, missed.get(), Flags.RESUMED, null));
            } else {
                String sentence = "messages on " + Quote.of(channel.name)
                        + " may have been missed: the given serial is not in the channel's history";
                var error = ErrorCode.CONTINUITY_LOST.because(sentence);
                attached(step, attachment, params, new Start(last, List.of(), 0, error));
            }
        } else if ((request.flagBits() & Flags.ATTACH_RESUME) != 0 || rewind.count() == 0) {
            attached(step, attachment, params, new Start(last, List.of(), 0, null));
        } else {
            History.Tail tail = history.tail(rewind.count(), rewind.nanos(), step.nanos());
            attached(step, attachment, params, new Start(tail.from(), tail.frames(), 0, null));
        }
    }

    private void attached(StepContext step, Attachment attachment, Map<String, String> params, Start start) {
        Connection connection = attachment.connection;
        List<ProtocolMessage> backlog =
                attachment.has(Flags.SUBSCRIBE) ? received(connection, start.backlog()) : List.of();
        boolean sync = attachment.has(Flags.PRESENCE_SUBSCRIBE) && !attachment.channel.members.isEmpty();
        int flags = attachment.modes
                | start.flags()
                | (backlog.isEmpty() ? 0 : Flags.HAS_BACKLOG)
                | (sync ? Flags.HAS_PRESENCE : 0);
        step.send(
                connection,
                ProtocolMessage.builder(Action.ATTACHED)
                        .channel(attachment.spelling)
                        .channelSerial(start.serial())
                        .flags(flags)
                        .params(params.isEmpty() ? null : params)
                        .error(start.error())
                        .build());
        for (ProtocolMessage frame : backlog) {
            step.send(connection, frame.withChannel(attachment.spelling));
        }
        states.send(step, attachment);
        if (sync) {
            syncs.send(step, attachment);
        }
        channels.occupancy().send(step, attachment);
    }

    /** Removes the connection's own messages if the connection has turned echo off. */
    private static List<ProtocolMessage> received(Connection connection, List<ProtocolMessage> frames) {
        return connection.receivesEcho()
                ? frames
                : frames.stream()
                        .filter(frame -> !Objects.equals(frame.connectionId(), connection.id))
                        .toList();
    }

    /** Reports a failed ATTACH. The client now considers the channel failed, so an existing attachment ends. */
    private void failed(StepContext step, Connection connection, ProtocolMessage request, ErrorInfo error) {
        Attachment attachment = connection.attachments.get(spelling(request));
        if (attachment != null) {
            departures.remove(step, attachment);
        }
        step.send(
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

    /** Accepts only the format of Ably. The hub sends whole messages, and such a client accepts them too. */
    private static void checkDelta(Map<String, String> params) throws Refusal {
        String format = params.get(DELTA_PARAM);
        if (format != null && !format.equals(DELTA_FORMAT)) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "delta is " + Quote.of(format) + "; give " + DELTA_FORMAT + ", or leave delta out");
        }
    }

    /**
     * Returns the supported parameters, which the hub sends back. Parameters of the frame override parameters of the
     * qualifier.
     */
    private static Map<String, String> params(ChannelName name, ProtocolMessage request) {
        var all = new LinkedHashMap<>(name.params());
        if (request.params() != null) {
            all.putAll(request.params());
        }
        all.keySet()
                .retainAll(List.of(Modes.PARAM, Rewind.PARAM, Rewind.LIMIT_PARAM, OccupancyWatch.PARAM, DELTA_PARAM));
        return all;
    }

    private static String spelling(ProtocolMessage request) {
        return request.channel() == null ? "" : request.channel();
    }
}
